import type { OnProgress } from '../engine/progress.ts';
import type { First, Job, TaskSource } from '../engine/scheduler.ts';
import { DocketError } from '../errors.ts';
import { sleepUntil } from '../io/clock.ts';
import { dueNow, type DueTask, type OrderedWork } from '../kinds/due.ts';
import { meterFor } from '../settings/limits.ts';
import type { Project } from '../settings/project.ts';
import { roomNow } from '../settings/room.ts';
import type { BlockReason, Task } from '../task/schema.ts';
import { kinds } from './tasks/kinds.ts';

export interface DueOptions {
  /** Goes on while something waits for nothing but time. */
  wait: boolean;
  /** Goes on until the signal. */
  forever: boolean;
  signal: AbortSignal;
  /** What went wrong with one; the others go on. */
  onFault: (fault: unknown, due: DueTask) => void;
  /** It has gone well, whatever went wrong with it before. */
  onWell?: (due: DueTask) => void;
  onProgress?: OnProgress | undefined;
  /** What is to be done, at every look. */
  onDue?: (due: readonly DueTask[]) => void;
}

const lookEveryMs = 2_000;
/** What goes wrong with one may be the machine's trouble, and pass: so often it is tried again, later each time. */
const mostFaults = 3;
const firstPauseMs = 10_000;

/** What was tried last, and what came of that. */
interface Tried {
  state: string;
  faults: number;
  /** After a fault: when it is tried again. */
  at: number;
}

/** What is ordered in task directories, packets and on the board, one at a time: all of them work in the people's tree. */
export class DueSource implements TaskSource {
  readonly ended: { layout: DueTask['layout']; id: string; task: Task }[] = [];
  readonly #project: Project;
  readonly #options: DueOptions;
  readonly #busy = new Set<string>();
  readonly #tried = new Map<string, Tried>();
  #found: { due: DueTask[]; nextMs: number | undefined } = { due: [], nextMs: undefined };
  #lookMs = lookEveryMs;

  constructor(project: Project, options: DueOptions) {
    this.#project = project;
    this.#options = options;
  }

  async first(): Promise<First | undefined> {
    this.#lookMs = firstPauseMs; // where looking fails, people hear of it less often
    this.#found = await findDue(this.#project);
    this.#lookMs = Math.min(this.#found.nextMs ?? lookEveryMs, lookEveryMs);
    const fresh = this.#fresh();
    this.#options.onDue?.(fresh);
    const [next] = fresh;
    return next && { isLeft: next.isBegun, rank: next.rank };
  }

  async claim({ isTreeFree }: { isTreeFree: boolean }): Promise<Job[]> {
    const [next] = isTreeFree ? this.#fresh() : [];
    return next ? [{ inTree: true, work: () => this.#work(next) }] : [];
  }

  /** It is time to look again: people and other processes write to the same folders. */
  news(signal: AbortSignal): Promise<void> {
    const { clock } = this.#project;
    return sleepUntil(clock.now() + this.#lookMs, clock, signal);
  }

  async waits(): Promise<boolean> {
    const { due, nextMs } = this.#found;
    // The people's tree may be kept for a task of the queue.
    if (this.#fresh().length > 0) return true;
    return this.#options.wait && (nextMs !== undefined || due.some((one) => this.#isTriedAgain(one)));
  }

  #fresh(): DueTask[] {
    const now = this.#project.clock.now();
    return this.#found.due.filter((one) => {
      const tried = this.#tried.get(keyOf(one));
      if (this.#busy.has(keyOf(one))) return false;
      return tried?.state !== one.state || (this.#isTriedAgain(one) && tried.at <= now);
    });
  }

  /** It looks as it did when something went wrong with it. */
  #isTriedAgain(due: DueTask): boolean {
    const { state, faults } = this.#tried.get(keyOf(due)) ?? { state: undefined, faults: 0 };
    return faults > 0 && faults < mostFaults && state === due.state;
  }

  async #work(due: DueTask): Promise<void> {
    const { signal, onWell, onProgress } = this.#options;
    const { layout, id, state } = due;
    const { faults = 0 } = this.#tried.get(keyOf(due)) ?? {};
    this.#tried.set(keyOf(due), { state, faults, at: 0 });
    this.#busy.add(keyOf(due));
    try {
      const task = await due.work(signal, onProgress);
      this.#tried.set(keyOf(due), { state, faults: 0, at: 0 });
      if (task) this.ended.push({ layout, id, task });
      onWell?.(due);
    } catch (fault) {
      this.#failed(fault, due, faults);
    } finally {
      this.#busy.delete(keyOf(due));
    }
  }

  /** A full disk would fail the others too: then the run ends, or tries it again for as long as it goes on. */
  #failed(fault: unknown, due: DueTask, before: number): void {
    const { onFault, forever } = this.#options;
    const isFull = fault instanceof DocketError && fault.code === 'DISK_FULL';
    if (isFull && !forever) throw fault;
    const faults = isFull ? 1 : before + 1;
    const at = this.#project.clock.now() + firstPauseMs * 2 ** (faults - 1);
    this.#tried.set(keyOf(due), { state: due.state, faults, at });
    onFault(fault, due);
  }
}

/** What is ordered and waits for nobody, first what docket left in the middle. Reads only. */
export async function findDue(project: Project): Promise<ReturnType<typeof dueNow>> {
  const ordered: OrderedWork[] = [];
  for (const kind of kinds) ordered.push(...((await kind.ordered?.(project)) ?? []));
  const reasons = ordered.flatMap(({ tasks }) => tasks.map(reasonOf));
  const hasRoom = await roomNow(project, reasons);
  return dueNow(ordered, project.clock.now(), { meter: meterFor(project), hasRoom });
}

function reasonOf(task: Task): BlockReason | undefined {
  return task.status === 'blocked' ? task.reason : undefined;
}

function keyOf({ layout, id }: DueTask): string {
  return `${layout} ${id}`;
}
