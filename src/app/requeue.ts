import { iso, type Clock } from '../io/clock.ts';
import type { Backend } from '../store/backend.ts';
import { execute } from '../store/execute.ts';

/** A limit that has passed holds nobody any more. */
export async function requeueAfterLimits(store: Backend, clock: Clock): Promise<void> {
  for (const task of await store.list({ status: ['blocked'] })) {
    if (task.status !== 'blocked' || task.reason.kind !== 'limit') continue;
    const { resumesAt } = task.reason;
    if (resumesAt === undefined || Date.parse(resumesAt) > clock.now()) continue;
    await requeue(store, task.id, `the limit ended at ${resumesAt}`, clock);
  }
}

/** Who names a task that waits for somebody, or that failed, has seen to it and wants it tried again. */
export async function requeueNamed(store: Backend, ids: readonly string[], clock: Clock): Promise<void> {
  for (const id of ids) {
    const status = (await store.get(id))?.status;
    if (status === 'blocked' || status === 'failed') await requeue(store, id, 'docket run named it', clock);
  }
}

/** A refusal means that somebody else was quicker: then there is nothing left to do here. */
async function requeue(store: Backend, id: string, reason: string, clock: Clock): Promise<void> {
  await execute(store, { type: 'requeue', id, by: 'docket', reason }, { now: iso(clock) });
}
