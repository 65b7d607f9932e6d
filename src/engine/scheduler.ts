/** A claimed task, or one that is claimed by beginning it. */
export interface Job {
  /** Its agents work in the people's own tree, where there is room for one job. */
  inTree: boolean;
  work(): Promise<unknown>;
}

/** What is next in a source. */
export interface First {
  /** Docket left it in the middle, in the people's tree: no other job is let in before it. */
  isLeft: boolean;
  /** Smaller goes first. */
  rank: number;
}

/** Tasks that the scheduler claims: those of the queue, of the board, or what is due in folders of their own. */
export interface TaskSource {
  /** What it would start next. Asked in every round where several sources share the slots. Undefined: nothing. */
  first?(): Promise<First | undefined>;
  /** Claims up to so many tasks, and none for the people's tree unless that is free. Fewer: no more could start now. */
  claim(room: { slots: number; isTreeFree: boolean }): Promise<Job[]>;
  /** Resolves when something may have changed that lets a task start, if there is room for one: an edit, a worker's death. */
  news?(signal: AbortSignal, hasRoom: boolean): Promise<void> | undefined;
  /** Asked when nothing could start: does something of it go on by itself in a while? Then so does the run. */
  waits?(): Promise<boolean>;
}

export interface ScheduleOptions {
  sources: readonly TaskSource[];
  /** How many jobs at once, as things are. */
  slots: () => number;
  signal: AbortSignal;
  /** Goes on when nothing is left, until the signal. What goes wrong meanwhile is told, and tried again. */
  forever?: ((fault: unknown) => void) | undefined;
}

/**
 * Claims what is next in all sources and works on it, so many jobs at a time, until nothing is left that could start now.
 * A fault, in a job or in claiming the next, does not end the others; it is thrown when they are done.
 */
export async function schedule(options: ScheduleOptions): Promise<void> {
  const { sources, slots, signal, forever } = options;
  const busy = new Map<Promise<void>, Job>();
  const faults: unknown[] = [];
  const fault = (error: unknown): void => (forever ? forever(error) : void faults.push(error));
  const isEnding = () => signal.aborted || faults.length > 0;
  const begin = (job: Job): void => {
    const ended = job.work().then(() => undefined, fault);
    const done: Promise<void> = ended.finally(() => busy.delete(done));
    busy.set(done, job);
  };
  for (;;) {
    const wasIdle = busy.size === 0;
    const begun = isEnding() ? 0 : await beginNext(options, busy, { begin, fault });
    // What ended during a round may let others start: only a round on its own finds that nothing can.
    const isQuiet = wasIdle && begun === 0;
    if (isQuiet && (isEnding() || (!forever && !(await anyWaits(sources))))) break;
    if (busy.size === 0 && !isQuiet) continue;
    const hasRoom = busy.size < slots();
    const enough = new AbortController();
    const until = AbortSignal.any([signal, enough.signal]);
    const news = isEnding() ? [] : sources.flatMap((source) => source.news?.(until, hasRoom) ?? []);
    await Promise.race([...busy.keys(), ...news]).catch((error: unknown) => faults.push(error));
    enough.abort();
  }
  if (faults.length > 0) throw faults[0];
}

interface Hands {
  begin: (job: Job) => void;
  fault: (error: unknown) => void;
}

/** Fills the free slots: first with what was left in the people's tree, then by rank over all sources. */
async function beginNext(
  { sources, slots, signal }: ScheduleOptions,
  busy: ReadonlyMap<unknown, Job>,
  { begin, fault }: Hands,
): Promise<number> {
  const isAlone = sources.length === 1;
  const look = async (source: TaskSource) => (isAlone ? { isLeft: false, rank: 0 } : source.first?.());
  const line = new Map<TaskSource, First>();
  const lineUp = async (source: TaskSource): Promise<void> => {
    line.delete(source);
    const first = await look(source).catch(fault);
    if (first) line.set(source, first);
  };
  for (const source of sources) await lineUp(source);
  let begun = 0;
  let isKept = false;
  for (let next = firstOf(line); next && !signal.aborted; next = firstOf(line)) {
    const [source, { isLeft }] = next;
    const free = slots() - busy.size;
    if (free <= 0) break;
    const isTreeFree = !isKept && ![...busy.values()].some(({ inTree }) => inTree);
    const asked = isAlone ? free : 1;
    const jobs = (await source.claim({ slots: asked, isTreeFree }).catch(fault)) ?? [];
    for (const job of jobs) begin(job);
    begun += jobs.length;
    if (jobs.length === asked) {
      await lineUp(source);
      continue;
    }
    line.delete(source);
    isKept ||= isLeft;
  }
  return begun;
}

function firstOf(line: ReadonlyMap<TaskSource, First>): [TaskSource, First] | undefined {
  const inOrder = [...line].toSorted(
    ([, a], [, b]) => Number(b.isLeft) - Number(a.isLeft) || (a.rank < b.rank ? -1 : 1),
  );
  return inOrder[0];
}

async function anyWaits(sources: readonly TaskSource[]): Promise<boolean> {
  for (const source of sources) if (await source.waits?.()) return true;
  return false;
}
