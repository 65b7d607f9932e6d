import { DocketError } from '../../errors.ts';
import { iso } from '../../io/clock.ts';
import type { Backend, Claim } from '../../store/backend.ts';
import { execute } from '../../store/execute.ts';
import type { Command } from '../../task/command.ts';
import type { Task } from '../../task/schema.ts';
import { refused } from '../refused.ts';
import type { Where } from './stores.ts';

const owner = `docket-${process.pid}`;

/** The task is ours from here on: nobody else runs it at the same time. */
export async function claimed(store: Backend, where: Where, task: Task, reason: string): Promise<Claim> {
  const { id } = task;
  const back = wayBack(task, reason);
  if (back) {
    const done = await execute(store, back, { now: iso(where.clock) });
    if (!done.ok) throw refused(done.refusal);
  }
  const [claim] = await store.claim({ owner, max: 1, only: [id] });
  if (claim) return claim;
  const held = await store.get(id);
  const who = held?.owner === undefined ? '' : ` by ${held.owner}`;
  throw new DocketError(
    'REFUSED',
    `task ${id} is being worked on${who}`,
    `wait for it (docket task events ${id} --follow), or end it: docket task cancel ${id}`,
    { id },
  );
}

function wayBack({ id, status }: Task, reason: string): Command | undefined {
  if (status === 'done' || status === 'canceled') return { type: 'reopen', id, by: 'user', reason };
  if (status === 'blocked' || status === 'failed') return { type: 'requeue', id, by: 'user', reason };
  return undefined;
}
