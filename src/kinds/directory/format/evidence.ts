import { join, normalize } from 'node:path/posix';
import { clip } from '../../../report/clip.ts';
import { outsideBecause } from '../../../schema/schemas.ts';
import type { Run, Step, StepState } from '../../../task/run.ts';
import type { Task } from '../../../task/schema.ts';
import type { EvidenceEntry } from './file-schemas.ts';
import { type Pointer, pointersOf, resultOf } from './result.ts';

type Source = EvidenceEntry['sources'][number];

/**
 * The id of each worker's entry. Kebab case as the format likes it, but for those that would then share one: they keep
 * their own spelling, which no kebab form can be.
 */
export function evidenceIds(steps: readonly Step[]): Map<string, string> {
  const count = new Map<string, number>();
  for (const { id } of steps) count.set(kebab(id), (count.get(kebab(id)) ?? 0) + 1);
  return new Map(steps.map(({ id }) => [id, `worker-${count.get(kebab(id)) === 1 ? kebab(id) : id}`]));
}

function kebab(id: string): string {
  return id.replaceAll('_', '-');
}

const noRun: Pick<Run, 'steps' | 'states'> = { steps: [], states: {} };

/** What proves the results of a task: one entry for each worker, then those for what its report points to. */
export function evidenceByStep(task: Task): Map<string, EvidenceEntry[]> {
  const { steps, states } = task.run ?? noRun;
  const ids = evidenceIds(steps);
  const taken = new Set(ids.values());
  const found = new Map<string, EvidenceEntry[]>();
  for (const step of steps) {
    const state = states[step.id];
    const id = ids.get(step.id);
    if (step.kind === 'human' || !state || id === undefined) continue;
    const worker = workerEntry(task, step, state, id);
    if (worker) found.set(step.id, [worker, ...pointed(task, step, state, id, taken)]);
  }
  return found;
}

function workerEntry(task: Task, step: Step, state: StepState, id: string): EvidenceEntry | undefined {
  const result = resultOf(step, task.run);
  if (!result) return undefined;
  const { events, final } = refsOf(task, step);
  return {
    id,
    kind: 'runtime-event-range',
    title: clip(`${step.id}: ${step.title}`, 200),
    summary: clip(`[${result.status}] ${result.summary}`, 2000),
    createdAt: state.since,
    sources: [{ type: 'runtimeEventRange', eventsRef: events }],
    artifactRefs: [final, events],
  };
}

function pointed(
  task: Task,
  step: Step,
  state: StepState,
  worker: string,
  taken: Set<string>,
): EvidenceEntry[] {
  let n = 0;
  return pointersOf(state).flatMap((pointer) => {
    const found = sourceOf(task, step, pointer);
    if (!found) return [];
    let id: string;
    do id = `${worker}-evidence-${++n}`;
    while (taken.has(id));
    const title = clip(`${step.id}: ${pointer.ref}`, 200);
    const summary = pointer.note ?? pointer.ref;
    return [{ id, kind: found.kind, title, summary, createdAt: state.since, sources: [found.source] }];
  });
}

/** Addresses and plain words stay in the worker's own file: the format has no kind for them. */
function sourceOf(
  task: Task,
  step: Step,
  { kind, ref }: Pointer,
): { kind: EvidenceEntry['kind']; source: Source } | undefined {
  if (kind === 'file') {
    const anchor = anchorOf(ref, step.cwd);
    return anchor && { kind: 'file-anchor', source: { type: 'fileAnchor', ...anchor } };
  }
  const { events, stderr } = refsOf(task, step);
  if (kind !== 'command' || stderr === undefined) return undefined;
  const source = {
    type: 'commandExecution',
    command: ref,
    cwd: step.cwd ?? '.',
    stdoutRef: events,
    stderrRef: stderr,
  } as const;
  return { kind: 'command-execution', source };
}

/** From the task's folder. What never ran has no output of its own: the task's log says what became of it. */
function refsOf(task: Task, { id }: Step): { events: string; stderr?: string; final: string } {
  const folder = `./agents/${id}`;
  const final = `${folder}/artifacts/final.json`;
  if (!task.attempts?.[id]) return { events: './events.jsonl', final };
  return { events: `${folder}/runtime/events.jsonl`, stderr: `${folder}/runtime/stderr.log`, final };
}

interface Anchor {
  /** From the root. */
  path: string;
  startLine: number;
  endLine: number;
}

/** A place in a file as an agent names it: `path`, `path:12` or `path:12-20`, from the folder it works in. */
export function anchorOf(ref: string, cwd = '.'): Anchor | undefined {
  const [, name = '', first = '1', last = first] = /^(.+?)(?::(\d{1,9})(?:-(\d{1,9}))?)?$/.exec(ref) ?? [];
  const path = inside(name, cwd);
  if (path === undefined) return undefined;
  const [a, b] = [Math.max(1, Number(first)), Math.max(1, Number(last))];
  return { path, startLine: Math.min(a, b), endLine: Math.max(a, b) };
}

/** What leads out of the root points nowhere that others can see. */
function inside(name: string, cwd: string): string | undefined {
  if (name === '' || [name, cwd].some((part) => part.includes('\\') || outsideBecause(part)))
    return undefined;
  const plain = normalize(name);
  // Agents name files from where they work, and now and then from the root.
  const path = plain.startsWith(`${normalize(cwd)}/`) ? plain : join(cwd, plain);
  return path === '.' || path.endsWith('/') ? undefined : path;
}
