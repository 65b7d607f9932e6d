import type { Definition } from '../command.ts';
import { withApp, type Context } from '../context.ts';
import { dryRun } from '../options.ts';

export const command: Definition = {
  options: [dryRun('Show what would be put away; change nothing')],
  notes: [
    'The old log goes to state/archive/; the new one begins with every task as it',
    'is, in lines that other tools of the format read too.',
  ],
  examples: ['docket board compact --dry-run', 'docket board compact'],
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const dryRun = args.options.has('dry-run');
  const done = await withApp(context, async (app) => (await app.boardTools()).compact({ dryRun }));
  if (globals.json) {
    out.answer({ ...done, dryRun });
    return 0;
  }
  const { before, after, archive } = done;
  const size = ({ events, bytes }: typeof before) => `${events} events, ${bytes} bytes`;
  if (before.events === 0) out.data('state/tasks.jsonl is empty: there is nothing to put away');
  else if (after) out.data(`state/tasks.jsonl: ${size(before)} → ${size(after)}; the old log is ${archive}`);
  else out.data(`state/tasks.jsonl: ${size(before)}; it would become ${archive}, whole`);
  if (!done.written) out.talk('Nothing was changed.');
  return 0;
}
