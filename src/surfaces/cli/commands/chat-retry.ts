import * as v from 'valibot';
import { mailEntries } from '../../../project/chat/api.ts';
import { tellEntries } from '../chat/answer.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';

export const command: Definition = {
  options: [{ name: 'dry-run', summary: 'Show it; change nothing' }],
  notes: [
    'What was to be sent, and what could not be acted on.',
    'Each keeps its key: nothing is done twice.',
  ],
  examples: ['docket chat retry --dry-run'],
  answer: json.one('What was given up waits again.', {
    dryRun: json.dryRun,
    retried: v.strictObject({ sent: json.count, heard: json.count }),
    messages: mailEntries,
    heard: mailEntries,
  }),
  run,
};

type Entries = Parameters<typeof tellEntries>[0];

/** What was given up waits again. A chat that is served sends it at once. */
async function run(context: Context): Promise<number> {
  const { args, out, globals } = context;
  const dryRun = args.options.has('dry-run');
  const { status, retried } = await withDocket(context, async (docket) => {
    const chats = await docket.chats();
    return { status: chats.status(), retried: dryRun ? { sent: 0, heard: 0 } : await chats.retry() };
  });
  const { outbox, inbox, served } = status;
  if (globals.json) {
    out.answer({ dryRun, retried, messages: outbox.dead, heard: inbox.dead });
    return 0;
  }
  if (outbox.dead.length + inbox.dead.length === 0) out.talk('Nothing was given up.');
  tell(outbox.dead, retried.sent, 'sent', context);
  tell(inbox.dead, retried.heard, 'acted on', context);
  if (retried.sent + retried.heard > 0 && !served)
    out.talk('They wait for a chat to be served: docket chat feishu');
  return 0;
}

function tell(dead: Entries, retried: number, what: string, { args, out }: Context): void {
  if (dead.length === 0) return;
  const dryRun = args.options.has('dry-run');
  out.data(dryRun ? `${dead.length} would be ${what} again:` : `${retried} will be ${what} again`);
  if (dryRun) tellEntries(dead, out);
}
