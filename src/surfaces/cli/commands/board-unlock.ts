import * as v from 'valibot';
import type { Docket } from '../../../project/docket.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { dryRun } from '../frame/options.ts';
import { visible } from '../frame/visible.ts';

type Tools = Awaited<ReturnType<Docket['boardTools']>>;
type Of<K extends keyof Tools> = Awaited<ReturnType<Tools[K]>>;
type Lock = Of<'unlock'>[number];
const lock = json.like<Lock>()(
  v.strictObject({
    path: json.text,
    kind: v.picklist(['board', 'run']),
    owner: json.maybe(json.text),
    pid: json.maybe(json.count),
    createdAt: json.maybe(json.text),
    expiresAtTs: json.maybe(v.number()),
    stale: json.flag,
    reason: v.picklist(['held', 'expired', 'dead', 'unreadable']),
    ownerDead: json.flag,
  }),
);

export const command: Definition = {
  options: [dryRun('Show them; change nothing')],
  notes: ['Each removal is written to state/locks/recovery.audit.jsonl.'],
  examples: ['docket board unlock --dry-run', 'docket board unlock'],
  answer: json.one('Locks that nobody has any more.', { locks: v.array(lock), dryRun: json.dryRun }),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const dryRun = args.options.has('dry-run');
  const locks = await withDocket(context, async (docket) => (await docket.boardTools()).unlock({ dryRun }));
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
