import { DocketError } from '../errors.ts';
import { command, fix } from '../errors/command.ts';
import { iso, type Clock } from '../io/clock.ts';
import { triedFrom } from '../meter/admit.ts';
import type { Ways } from '../settings/room.ts';
import { execute } from '../store/execute.ts';
import type { Store } from '../store/store.ts';
import { roomText } from '../task/caps.ts';
import { compareIds } from '../task/id.ts';
import { rank } from '../task/pick.ts';
import { rejectedStep } from '../task/rejected.ts';
import type { BlockReason, Task } from '../task/schema.ts';

const lookAgainMs = 5_000;

/** What waited for a provider, or for room below a cap, and need not any more, is queued again. */
export async function requeueAfterLimits(store: Store, clock: Clock, ways: Ways): Promise<void> {
  const { ended } = endedWaits(await store.list({ status: ['blocked'] }), clock.now(), ways);
  for (const { task, text } of ended) await requeue(store, task.id, text, clock);
}

/** A task whose wait is over. `state` is another one for each of its waits. */
interface EndedWait {
  task: Task;
  text: string;
  state: string;
}

/**
 * Those of the tasks that go on by themselves now, and in how many milliseconds others may (0: now). Where nobody knows whether
 * a provider answers, one of those that wait finds out for all of them.
 */
export function endedWaits(
  tasks: readonly Task[],
  now: number,
  ways: Ways,
): { ended: EndedWait[]; nextMs: number | undefined } {
  const tries = new Set<string>();
  const ended: EndedWait[] = [];
  let nextMs = Infinity;
  for (const task of inLine(tasks)) {
    const wait = waitOf(task, now, ways);
    if (wait?.kind === 'until') nextMs = Math.min(nextMs, wait.time - now);
    if (wait?.kind === 'tried') nextMs = Math.min(nextMs, lookAgainMs);
    if (wait?.kind !== 'over' && wait?.kind !== 'try') continue;
    const { text } = wait;
    if (wait.kind === 'over') ended.push({ task, text, state: text });
    else if (!tries.has(wait.provider)) ended.push({ task, text, state: `${text} ${wait.since}` });
    if (wait.kind === 'try') tries.add(wait.provider);
  }
  return { ended, nextMs: Number.isFinite(nextMs) ? nextMs : undefined };
}

/** Who has waited longest is first. */
function inLine(tasks: readonly Task[]): Task[] {
  return tasks.toSorted((a, b) => rank(a) - rank(b) || compareIds(a.id, b.id));
}

/** What a task that goes on by itself waits for. Undefined: it is not one of those. */
type Wait =
  | { kind: 'over'; text: string }
  /** `since`: until when the provider was left alone. */
  | { kind: 'try'; text: string; provider: string; since: string }
  | { kind: 'until'; time: number }
  /** Somebody is trying now. */
  | { kind: 'tried' };

function waitOf(task: Task, now: number, { meter, hasRoom }: Ways): Wait | undefined {
  if (task.status !== 'blocked') return undefined;
  const { cap } = task.reason;
  if (cap && hasRoom(task.reason, task.spec.budget)) return { kind: 'over', text: roomText(cap) };
  if (!isForDocket(task.reason)) return undefined;
  const { provider, resumesAt } = task.reason;
  const state = provider === undefined ? undefined : meter.parked(provider);
  if (provider !== undefined && state) {
    const until = triedFrom(state.parked, now);
    if (state.tried) return { kind: 'tried' };
    if (until > now) return { kind: 'until', time: until };
    const text = `it finds out whether ${provider} answers again`;
    return { kind: 'try', provider, text, since: state.parked.until };
  }
  if (provider !== undefined) return { kind: 'over', text: `${provider} answers again` };
  if (resumesAt === undefined) return undefined;
  const time = Date.parse(resumesAt);
  if (time > now) return { kind: 'until', time };
  const isLimit = task.reason.kind === 'limit';
  return { kind: 'over', text: isLimit ? `the limit ended at ${resumesAt}` : 'it is tried again' };
}

function isForDocket({ kind, who, provider, resumesAt }: BlockReason): boolean {
  return kind === 'limit' || (who === 'docket' && (provider ?? resumesAt) !== undefined);
}

/** What people call a task. */
type NameOf = (task: Task) => string;

/** Those that a run takes, as they are when it begins. `only`: those that were named. */
export function takenByRun(
  tasks: readonly Task[],
  only: ReadonlySet<string> | undefined,
  { clock, nameOf, ...ways }: Ways & { clock: Clock; nameOf: NameOf },
): Task[] {
  const named = tasks.filter(({ id }) => only === undefined || only.has(id));
  if (only) assertNoneAtGate(named);
  if (only) assertNoneRejected(named, nameOf);
  return named.flatMap((task): Task[] => {
    if (task.status === 'queued') return [task];
    const wait = only ? undefined : waitOf(task, clock.now(), ways)?.kind;
    const isTaken = only ? isTriedAgain(task) : wait === 'over' || wait === 'try';
    return isTaken ? [{ ...task, status: 'queued' }] : [];
  });
}

function isTriedAgain({ status }: Task): boolean {
  return status === 'blocked' || status === 'failed';
}

/** A person said no: only who says in so many words that it is wanted after all takes it up again. */
function assertNoneRejected(tasks: readonly Task[], nameOf: NameOf): void {
  for (const task of tasks) {
    const no = task.status === 'failed' ? rejectedStep(task.run) : undefined;
    if (!no) continue;
    throw new DocketError(
      'REFUSED',
      `task ${nameOf(task)}: ${no.step.title} was ${no.reason}`.slice(0, 500),
      fix`if it is wanted after all: ${command`retry ${nameOf(task)} --note "…"`}`,
      { id: task.id, gate: no.gate },
    );
  }
}

/** Who names a task that was blocked, or that failed, has seen to it and wants it tried again. */
export async function requeueNamed(
  store: Store,
  ids: readonly string[],
  { clock, nameOf }: { clock: Clock; nameOf: NameOf },
): Promise<void> {
  const tasks = (await Promise.all(ids.map((id) => store.get(id)))).filter((task) => task !== undefined);
  assertNoneAtGate(tasks);
  assertNoneRejected(tasks, nameOf);
  for (const { id } of tasks.filter(isTriedAgain))
    await requeue(store, id, fix`${command`run`} named it`.text, clock);
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
    fix`answer it: ${command`gate approve ${task.id} ${gate} --note "…"`}`,
    { id: task.id, gate },
  );
}

/** A refusal means that somebody else was quicker: then there is nothing left to do here. */
async function requeue(
  store: Parameters<typeof execute>[0],
  id: string,
  reason: string,
  clock: Clock,
): Promise<void> {
  await execute(store, { type: 'requeue', id, by: 'docket', reason }, { now: iso(clock) });
}

/** How long until one that waits may go on; undefined: none waits for anything that passes. */
export async function nextLimitEnds(
  store: Pick<Store, 'list'>,
  clock: Clock,
  ways: Ways,
): Promise<number | undefined> {
  const { ended, nextMs } = endedWaits(await store.list({ status: ['blocked'] }), clock.now(), ways);
  return ended.length > 0 ? 0 : nextMs;
}
