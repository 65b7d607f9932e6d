import { mailStatusSchema } from '../../../project/chat/api.ts';
import { tellEntries } from '../chat/answer.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';

export const command: Definition = {
  options: [],
  examples: ['docket chat status', 'docket chat status --json'],
  answer: json.one(
    'What of the board’s mail is on its way, and what was given up.',
    mailStatusSchema.entries,
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
