import { DocketError } from '../errors.ts';
import { iso, type Clock } from '../io/clock.ts';
import type { Backend } from '../store/backend.ts';
import { execute } from '../store/execute.ts';
import type { Task } from '../task/schema.ts';

/** A limit that has passed holds nobody any more. */
export async function requeueAfterLimits(store: Backend, clock: Clock): Promise<void> {
  for (const task of await store.list({ status: ['blocked'] })) {
    const ended = limitEnded(task, clock.now());
    if (ended !== undefined) await requeue(store, task.id, `the limit ended at ${ended}`, clock);
  }
}

/** When the limit ended that holds it; undefined: it is not held by one, or still is. */
function limitEnded(task: Task, now: number): string | undefined {
  if (task.status !== 'blocked' || task.reason.kind !== 'limit') return undefined;
  const { resumesAt } = task.reason;
  return resumesAt === undefined || Date.parse(resumesAt) > now ? undefined : resumesAt;
}

/** Those that a run takes, as they are when it begins. `only`: those that were named. */
export function takenByRun(
  tasks: readonly Task[],
  only: ReadonlySet<string> | undefined,
  clock: Clock,
): Task[] {
  const named = tasks.filter(({ id }) => only === undefined || only.has(id));
  if (only) assertNoneAtGate(named);
  return named.flatMap((task): Task[] => {
    if (task.status === 'queued') return [task];
    const isTaken = only ? isTriedAgain(task) : limitEnded(task, clock.now()) !== undefined;
    return isTaken ? [{ ...task, status: 'queued' }] : [];
  });
}

function isTriedAgain({ status }: Task): boolean {
  return status === 'blocked' || status === 'failed';
}

/** Who names a task that was blocked, or that failed, has seen to it and wants it tried again. */
export async function requeueNamed(store: Backend, ids: readonly string[], clock: Clock): Promise<void> {
  const tasks = (await Promise.all(ids.map((id) => store.get(id)))).filter((task) => task !== undefined);
  assertNoneAtGate(tasks);
  for (const { id } of tasks.filter(isTriedAgain)) await requeue(store, id, 'docket run named it', clock);
}

function assertNoneAtGate(tasks: readonly Task[]): void {
  const waits = tasks.find((task) => task.status === 'blocked' && closedGates(task).length > 0);
  if (waits) throw atGate(waits);
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
