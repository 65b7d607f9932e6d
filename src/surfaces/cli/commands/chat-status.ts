import * as v from 'valibot';
import type { MailStatus } from '../../../project/chat/api.ts';
import { entries, tellEntries } from '../chat/answer.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';

export const command: Definition = {
  options: [],
  examples: ['docket chat status', 'docket chat status --json'],
  answer: json.one(
    'What of the board’s mail is on its way, and what was given up.',
    json.like<MailStatus>()(
      v.strictObject({
        served: json.described(json.flag, 'A docket serves a chat for this board now.'),
        inbox: v.strictObject({ waiting: json.count, dead: entries }),
        outbox: v.strictObject({ waiting: entries, dead: entries }),
        toldUpTo: json.maybe(json.count, 'The last line of the log that was told.'),
      }),
    ).entries,
  ),
  run,
};

/** What of the board's mail is on its way. */
async function run(context: Context): Promise<number> {
  const { out, globals } = context;
  const status = await withDocket(context, async (docket) => (await docket.chats()).status());
  const { served, inbox, outbox, toldUpTo } = status;
  if (globals.json) {
    out.answer({ ...status });
    return 0;
  }
  out.data(served ? 'a chat is served' : 'no chat is served now');
  out.data(`heard: ${inbox.waiting} waiting, ${inbox.dead.length} given up`);
  out.data(`to be sent: ${outbox.waiting.length} waiting, ${outbox.dead.length} given up`);
  if (toldUpTo !== undefined) out.data(`told up to line ${toldUpTo} of the log`);
  tellEntries([...inbox.dead, ...outbox.waiting, ...outbox.dead], out);
  if (inbox.dead.length + outbox.dead.length > 0) out.talk('Try them again: docket chat retry');
  return 0;
}
