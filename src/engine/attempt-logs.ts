import path from 'node:path';
import { changedAt, listDir } from '../io/files.ts';
import { isDirectory } from '../io/find-up.ts';
import { makeOwnFolder } from '../io/own-folder.ts';
import { plainStat, readSmallFile } from '../io/plain-file.ts';
import { places, recordedCode } from '../io/process/supervisor.ts';
import { walk } from '../io/walk.ts';
import type { Task } from '../task/schema.ts';

/** The folder of one call of an agent. */
export interface AttemptLog {
  step: string;
  attempt: number;
  /** Where its files are now: some formats put them away when the next attempt begins. */
  dir: () => string;
  adapter: string;
  session?: string;
  /** What it was kept from, as the journal has it. */
  denied?: readonly string[];
}

/** Where the attempts of a task leave what they say: a folder per step, or per instance of an agent. */
export interface AttemptFolder {
  attempts: string;
  attemptsBy: 'step' | 'instance';
}

interface Wanted {
  step?: string | undefined;
  attempt?: number | undefined;
}

/** The attempts of a task that have left something, oldest first, found by what lies there: agents write there too. */
export function attemptLogs(source: AttemptFolder, task: Task, query: Wanted): AttemptLog[] {
  const found = [
    ...(source.attemptsBy === 'instance' ? inInstances(source.attempts) : inFolders(source.attempts)),
  ]
    .filter(({ dir }) => plainStat(places(dir()).stdout) !== undefined)
    .filter(({ step, attempt }) => isWanted(step, query.step) && (query.attempt ?? attempt) === attempt)
    .map((log): AttemptLog => ({ ...log, ...calledIn(task, log) }));
  const began = new Map(found.map((log) => [log, changedAt(places(log.dir()).prompt) ?? Infinity]));
  const when = (log: AttemptLog) => began.get(log) ?? Infinity;
  return found.toSorted((a, b) => when(a) - when(b) || a.attempt - b.attempt);
}

type Place = Pick<AttemptLog, 'step' | 'attempt' | 'dir'>;

const deepest = 4;

/** `<step>/<n>`; in older stores `<n>`, of the one step that a task had. */
function* inFolders(base: string): Generator<Place> {
  if (!isDirectory(base)) return;
  for (const { kind, path: name } of walk(base, (entry) => entry.path.split('/').length < deepest)) {
    const [, step = 'work', n] = /^(?:(.+)\/)?(\d{1,9})$/.exec(name) ?? [];
    if (kind === 'folder' && n !== undefined)
      yield { step, attempt: Number(n), dir: () => path.join(base, name) };
  }
}

/** `<step>/runtime` is always the latest one's; earlier ones lie in `runtime/attempt-<n>`. */
function* inInstances(base: string): Generator<Place> {
  for (const step of folders(base)) {
    const runtime = path.join(base, step, 'runtime');
    if (!isDirectory(runtime)) continue;
    const latest = () => Number(readSmallFile(path.join(runtime, 'attempt')) ?? 1) || 1;
    const past = listDir(runtime).flatMap((name) => /^attempt-(\d{1,9})$/.exec(name)?.[1] ?? []);
    for (const attempt of new Set([...past.map(Number), latest()]))
      yield {
        step,
        attempt,
        dir: () => (attempt === latest() ? runtime : path.join(runtime, `attempt-${attempt}`)),
      };
  }
}

/** Real ones only: a link that an agent left leads nowhere. */
function folders(base: string): string[] {
  if (!isDirectory(base)) return [];
  return [...walk(base, () => false)].flatMap(({ kind, path: name }) => (kind === 'folder' ? [name] : []));
}

/** By whom, as far as the journal says it. */
export function calledIn(
  { attempts }: Task,
  place: Place,
): Pick<AttemptLog, 'adapter' | 'session' | 'denied'> {
  const { adapter = '', session, n, end } = attempts?.[place.step] ?? {};
  const denied = n === place.attempt ? end?.denied : undefined;
  return { adapter, ...(session !== undefined && { session }), ...(denied && { denied }) };
}

/** The second pass through a node is `implement--2`; what belongs to a step stands below it. */
function isWanted(step: string, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  return step === wanted || step.startsWith(`${wanted}--`) || step.startsWith(`${wanted}/`);
}

export function isKnown({ step, attempt }: Place, { attempts }: Task): boolean {
  return (attempts?.[step]?.n ?? 0) >= attempt;
}

/** Its process has left its code, or the journal knows of its end. */
export function hasEnded({ step, attempt, dir }: AttemptLog, { attempts }: Task): boolean {
  const known = attempts?.[step];
  if (known && (known.n > attempt || (known.n === attempt && known.end !== undefined))) return true;
  return recordedCode(dir()) !== undefined;
}

/** Where an attempt has its files. Made where it is missing: an agent may have removed its own. */
export function attemptFolder(attemptsDir: string, id: string, n: number): string {
  const { dir, base } = path.parse(attemptsDir);
  return makeOwnFolder(dir, base, id, String(n));
}
