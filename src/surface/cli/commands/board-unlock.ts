import type { Definition } from '../command.ts';
import { withApp, type Context } from '../context.ts';
import { dryRun } from '../options.ts';
import { visible } from '../visible.ts';

export const command: Definition = {
  options: [dryRun('Show them; change nothing')],
  notes: ['Each removal is written to state/locks/recovery.audit.jsonl.'],
  examples: ['docket board unlock --dry-run', 'docket board unlock'],
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const dryRun = args.options.has('dry-run');
  const locks = await withApp(context, async (app) => (await app.boardTools()).unlock({ dryRun }));
  if (globals.json) {
    out.answer({ locks, dryRun });
    return 0;
  }
  for (const { path, reason, owner, pid } of locks) {
    const whose = [owner, pid === undefined ? undefined : `pid ${pid}`].filter((part) => part !== undefined);
    out.data(visible(`${path}: ${reason}${whose.length > 0 ? ` (${whose.join(', ')})` : ''}`));
  }
  const count = locks.length === 1 ? '1 lock' : `${locks.length} locks`;
  if (locks.length === 0) out.talk('No lock is stale.');
  else out.talk(dryRun ? `${count} would be removed; nothing was changed.` : `${count} removed.`);
  return 0;
}
