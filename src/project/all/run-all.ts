import type { OnProgress } from '../../engine/progress.ts';
import { DocketError } from '../../errors.ts';
import { sleepUntil } from '../../io/clock.ts';
import { meterFor } from '../../settings/limits.ts';
import type { Project } from '../../settings/project.ts';
import type { Task } from '../../task/schema.ts';
import { findErrands, type Errand } from './errands.ts';

export interface RunAllOptions {
  /** How many at once, with those of the queue. */
  most: number;
  /** Goes on while something waits for nothing but time. */
  wait: boolean;
  /** Goes on until the signal. */
  forever: boolean;
  signal: AbortSignal;
  /** What went wrong with one; the others go on. */
  onFault: (fault: unknown, errand: Errand) => void;
  /** It has gone well, whatever went wrong with it before. */
  onWell?: (errand: Errand) => void;
  onProgress?: OnProgress;
  /** What is to be done, at every look. */
  onDue?: (errands: readonly Errand[]) => void;
  /** A task of the queue was left in the people's tree by a docket that died: it goes on before anybody else is let in. */
  isTreeLeft: () => Promise<boolean>;
}

const lookEveryMs = 2_000;
/** What goes wrong with one may be the machine's trouble, and pass: so often it is tried again, later each time. */
const mostFaults = 3;
const firstPauseMs = 10_000;

/** Works off what is ordered in task directories, packets and on the board, until nothing is left that could go on. */
export class RunAll {
  readonly #where: Project;
  readonly #options: RunAllOptions;
  readonly #busy = new Map<string, Promise<void>>();
  readonly #tried = new Map<string, string>();
  /** Those that something went wrong with: how often, and when they are tried again. */
  readonly #again = new Map<string, { faults: number; at: number }>();
  readonly ended: { layout: Errand['layout']; id: string; task: Task }[] = [];

  #queue = 0;
  #tree: Promise<unknown> = Promise.resolve();
  /** One of ours waits to go on in the tree; nobody knows before the first look. */
  #wantsTree = true;
  #treeFree = gate();
  #leaves = false;
  #fault: { fault: unknown } | undefined;

  constructor(where: Project, options: RunAllOptions) {
    this.#where = where;
    this.#options = options;
  }

  get busy(): number {
    return this.#busy.size;
  }

  /** One of ours is in the people's tree, or was when docket died. */
  get hasTree(): boolean {
    return this.#wantsTree || this.busy > 0;
  }

  /** One of them has ended, and left its slot, or the tree. */
  freed(): Promise<void> {
    return Promise.race([...this.#busy.values(), this.#treeFree.passed]);
  }

  /** So many tasks of the queue are at work. */
  queueHas(count: number): void {
    this.#queue = count;
  }

  /**
   * One at a time works in the people's own tree, a task of the queue or one of ours: each would take what the others
   * change there for its own, and some put back what is not.
   */
  inTree<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#tree.then(work);
    this.#tree = mine.catch(() => undefined);
    return mine;
  }

  /** Begins nothing more. */
  leave(): void {
    this.#leaves = true;
  }

  /** Throws when those at work are done. */
  async run(): Promise<void> {
    try {
      await this.#look();
    } finally {
      this.#wants(false);
      await Promise.all(this.#busy.values());
    }
    if (this.#fault) throw this.#fault.fault;
  }

  async #look(): Promise<void> {
    const { signal, wait, forever, most } = this.#options;
    const meter = meterFor(this.#where);
    while (!signal.aborted && !this.#leaves) {
      const { due, nextMs } = await findErrands(this.#where, meter);
      const fresh = due.filter((one) => this.#isFresh(one));
      this.#options.onDue?.(fresh);
      const [next] = fresh;
      const isLeft = await this.#options.isTreeLeft();
      this.#wants(next?.begun === true && !isLeft);
      if (next && !isLeft && this.busy === 0 && this.#queue < most) this.#begin(next);
      const isPatient = wait && (nextMs !== undefined || due.some((one) => this.#isTriedAgain(one)));
      const more = forever || this.#queue > 0 || isPatient || fresh.length > 0;
      if (this.#busy.size === 0 && !more) break;
      await this.#somethingNew(nextMs);
    }
  }

  #isFresh(errand: Errand): boolean {
    const key = keyOf(errand);
    if (this.#busy.has(key)) return false;
    if (this.#tried.get(key) !== errand.state) return true;
    return this.#isTriedAgain(errand) && (this.#again.get(key)?.at ?? 0) <= this.#where.clock.now();
  }

  /** It looks as it did when something went wrong with it. */
  #isTriedAgain(errand: Errand): boolean {
    const { faults } = this.#again.get(keyOf(errand)) ?? { faults: 0 };
    return faults > 0 && faults < mostFaults && this.#tried.get(keyOf(errand)) === errand.state;
  }

  #wants(tree: boolean): void {
    const isFree = this.#wantsTree && !tree;
    this.#wantsTree = tree;
    if (!isFree) return;
    this.#treeFree.open();
    this.#treeFree = gate();
  }

  #begin(errand: Errand): void {
    const { signal, onWell, onProgress } = this.#options;
    const { layout, id } = errand;
    this.#tried.set(keyOf(errand), errand.state);
    const done = async (): Promise<void> => {
      try {
        const task = await this.inTree(() => errand.work(signal, onProgress));
        this.#again.delete(keyOf(errand));
        if (task) this.ended.push({ layout, id, task });
        onWell?.(errand);
      } catch (fault) {
        this.#failed(fault, errand);
      } finally {
        this.#busy.delete(keyOf(errand));
      }
    };
    this.#busy.set(keyOf(errand), done());
  }

  /** A full disk would fail the others too: nothing more is begun. Who runs forever tries again. */
  #failed(fault: unknown, errand: Errand): void {
    const { onFault, forever } = this.#options;
    const isFull = fault instanceof DocketError && fault.code === 'DISK_FULL';
    if (isFull && forever) this.#tried.delete(keyOf(errand));
    const faults = (this.#again.get(keyOf(errand))?.faults ?? 0) + 1;
    const at = this.#where.clock.now() + firstPauseMs * 2 ** (faults - 1);
    this.#again.set(keyOf(errand), { faults, at });
    if (!isFull || forever) return onFault(fault, errand);
    this.#fault ??= { fault };
    this.leave();
  }

  /** One has ended, or it is time to look again: people and other processes write to the same folders. */
  async #somethingNew(nextMs = lookEveryMs): Promise<void> {
    const { clock } = this.#where;
    const enough = new AbortController();
    const signal = AbortSignal.any([this.#options.signal, enough.signal]);
    const look = sleepUntil(clock.now() + Math.min(nextMs, lookEveryMs), clock, signal);
    await Promise.race([...this.#busy.values(), look]);
    enough.abort();
  }
}

function gate(): { passed: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { passed, open };
}

function keyOf({ layout, id }: Errand): string {
  return `${layout} ${id}`;
}
