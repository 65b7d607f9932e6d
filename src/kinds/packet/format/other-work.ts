import { openAttempts } from '../../../task/allowed.ts';
import { objectOf, type Fields, type Json } from '../../../task/json.ts';
import type { Step } from '../../../task/run.ts';
import type { Task } from '../../../task/schema.ts';
import { seconds, type StageFacts } from './facts.ts';
import { callsOf, otherOf, ownOf, signaturesIn, withOwn, type Signature } from './own.ts';
import { parseStage } from './stages.ts';

/** The files by which other tools say what they did in a packet. */
export interface OtherFiles {
  /** By stage, the text of `done/<stage>.done`. */
  markers: Readonly<Record<string, string>>;
  /** By stage, what its `meta.json` says. */
  metas: Readonly<Record<string, Fields>>;
  /** What `state/stats.json` says. */
  stats: Fields;
}

/** What another tool did in a packet since docket last worked on it. */
export interface OtherWork {
  /** Calls that it paid for. */
  calls: number;
  stages: { stage: string; facts: StageFacts }[];
  signatures: Readonly<Record<string, Signature>>;
}

export const doneByOther = 'done by another tool';

/**
 * Undefined: nothing. While docket works on the packet its files say what docket says, and what stands otherwise in them
 * an agent wrote; so it is after a crash, until the attempt that was open is looked at.
 */
export function otherWorkIn(task: Task, files: OtherFiles, now: string): OtherWork | undefined {
  if (!isAtRest(task)) return undefined;
  const stages = Object.entries(files.markers).flatMap(([stage, marker]) => {
    const doneAt = newMarker(task, stage, marker, now);
    const facts = doneAt === undefined ? undefined : factsFrom(stage, doneAt, files.metas[stage] ?? {});
    return facts ? [{ stage, facts }] : [];
  });
  const known = ownOf(task).signatures;
  const found = Object.entries(signaturesIn(files.stats['signatures']));
  const signatures = found.filter(([key, { count }]) => count > (known[key]?.count ?? 0));
  const paid = paidIn(files.stats) - callsOf(task);
  const calls = Math.max(0, paid);
  if (stages.length === 0 && signatures.length === 0 && calls === 0) return undefined;
  return { calls, stages, signatures: Object.fromEntries(signatures) };
}

/** No docket process works on it, and none died while one of its agents was at work. */
export function isAtRest(task: Task): boolean {
  return task.status !== 'running' && task.status !== 'review' && openAttempts(task).length === 0;
}

/** What a file says that anybody may have written; nothing, where it holds no JSON object. */
export function objectIn(text: string): Fields {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

/** `paid_calls_used`, as far as it makes sense. */
export function paidIn(stats: Fields): number {
  const paid = stats['paid_calls_used'];
  return typeof paid === 'number' && Number.isSafeInteger(paid) && paid > 0 ? paid : 0;
}

/**
 * When another tool marked the stage as done; undefined: it did not. A marker that is no newer than docket's own attempt is
 * docket's, left when docket died before it could remove it; one that was taken over before is not taken over again.
 */
export function newMarker(task: Task, stage: string, marker: string, now: string): string | undefined {
  if (task.run?.states[stage]?.state === 'done') return undefined;
  const said = Date.parse(marker.trim());
  const end = task.attempts?.[stage]?.end?.at;
  if (Number.isNaN(said)) return end === undefined ? seconds(now) : undefined;
  const doneAt = seconds(new Date(said).toISOString());
  if (otherOf(task).stages[stage] === doneAt) return undefined;
  return end === undefined || Date.parse(doneAt) > Date.parse(seconds(end)) ? doneAt : undefined;
}

function factsFrom(stage: string, doneAt: string, meta: Fields): StageFacts | undefined {
  const name = parseStage(stage);
  if (!name) return undefined;
  const { tool, role } = name;
  const time = (value: Json | undefined) =>
    typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? seconds(value) : doneAt;
  const number = (value: Json | undefined) => (typeof value === 'number' && value >= 0 ? value : 0);
  const { exit_code, start, end, duration_sec, prompt_sha256: sha } = meta;
  return {
    stage,
    tool,
    role,
    exit_code: number(exit_code),
    start: time(start),
    end: time(end),
    duration_sec: number(duration_sec),
    prompt_sha256: typeof sha === 'string' ? sha.slice(0, 64) : '',
    gate: { result: 'pass', reasons: [] },
    err: { lines: 0, head: [], tail: [] },
    out: { lines: 0 },
    other: doneAt,
  };
}

/** What the task keeps of it. `inputs`: what those stages would be made from today, for they are up to date by that. */
export function extrasWith(task: Task, work: OtherWork, inputs: Readonly<Record<string, Fields>>) {
  const own = ownOf(task);
  const other = otherOf(task);
  const marked = Object.fromEntries(work.stages.map(({ stage, facts }) => [stage, facts.other ?? '']));
  return withOwn(task.extras, {
    other: { calls: other.calls + work.calls, stages: { ...other.stages, ...marked } },
    signatures: { ...own.signatures, ...work.signatures },
    inputs: { ...own.inputs, ...inputs },
  });
}

/** The report of a stage that another tool did. */
export function reportFor({ stage, facts }: OtherWork['stages'][number]): Record<string, Json> {
  const summary = `${stage} was ${doneByOther}`;
  return { status: 'success', summary, artifacts: { stage: objectOf(facts) } };
}

/** The task as it is once all of that is recorded, for readers that write nothing. */
export function taskWith(
  task: Task,
  work: OtherWork,
  steps: Step[],
  inputs: Readonly<Record<string, Fields>>,
): Task {
  const run = task.run ?? {
    n: 1,
    goal: task.title,
    startedAt: task.updatedAt,
    steps,
    rounds: [0],
    orders: [],
    states: {},
    gates: {},
  };
  const done = work.stages.map((one) => {
    const since = one.facts.other ?? task.updatedAt;
    return [one.stage, { state: 'done', since, reason: doneByOther, report: reportFor(one) }] as const;
  });
  const extras = { ...task.extras, ...extrasWith(task, work, inputs) };
  return { ...task, extras, run: { ...run, states: { ...run.states, ...Object.fromEntries(done) } } };
}
