import { DocketError } from '../errors.ts';
import { iso, type Clock } from '../io/clock.ts';
import type { Backend } from '../store/backend.ts';
import { execute } from '../store/execute.ts';
import type { Task } from '../task/schema.ts';

/** A limit that has passed holds nobody any more. */
export async function requeueAfterLimits(store: Backend, clock: Clock): Promise<void> {
  for (const task of await store.list({ status: ['blocked'] })) {
    if (task.status !== 'blocked' || task.reason.kind !== 'limit') continue;
    const { resumesAt } = task.reason;
    if (resumesAt === undefined || Date.parse(resumesAt) > clock.now()) continue;
    await requeue(store, task.id, `the limit ended at ${resumesAt}`, clock);
  }
}

/** Who names a task that was blocked, or that failed, has seen to it and wants it tried again. */
export async function requeueNamed(store: Backend, ids: readonly string[], clock: Clock): Promise<void> {
  const tasks = await Promise.all(ids.map((id) => store.get(id)));
  const waits = tasks.find((task) => task?.status === 'blocked' && closedGates(task).length > 0);
  if (waits) throw atGate(waits);
  for (const task of tasks) {
    if (task?.status === 'blocked' || task?.status === 'failed')
      await requeue(store, task.id, 'docket run named it', clock);
  }
}

function closedGates({ run }: Task): string[] {
  return Object.entries(run?.gates ?? {}).flatMap(([gate, { state }]) => (state === 'blocked' ? [gate] : []));
}

/** Only an answer opens it: to run it again would ask the same, and be paid for. */
function atGate(task: Task): DocketError {
  const [gate = ''] = closedGates(task);
  return new DocketError(
    'NEEDS_PERSON',
    `task ${task.id} waits at ${gate}: ${task.run?.gates[gate]?.reason ?? ''}`.slice(0, 500),
    `answer it: docket gate approve ${task.id} ${gate} --note "…"`,
    { id: task.id, gate },
  );
}

/** A refusal means that somebody else was quicker: then there is nothing left to do here. */
async function requeue(store: Backend, id: string, reason: string, clock: Clock): Promise<void> {
  await execute(store, { type: 'requeue', id, by: 'docket', reason }, { now: iso(clock) });
}

/** When the first of the limits that hold a task ends. */
export async function nextLimitEnds(store: Backend): Promise<number | undefined> {
  const ends = (await store.list({ status: ['blocked'] })).flatMap((task) =>
    task.status === 'blocked' && task.reason.kind === 'limit' && task.reason.resumesAt !== undefined
      ? [Date.parse(task.reason.resumesAt)]
      : [],
  );
  return ends.length === 0 ? undefined : Math.min(...ends);
}
