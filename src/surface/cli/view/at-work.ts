import type { LogEntry } from '../../../app/logs/api.ts';
import type { Item, LayoutCount, View } from '../../../app/view/types.ts';
import { liveAfter, liveState, type Counts, type LiveChange, type LiveState } from '../live/state.ts';

type Happens = Extract<LiveChange, { kind: 'event' }>;

/** Who is at work in a workspace that others run, as the live lines show it: from looks at it, and what agents say. */
export class AtWork {
  #state: LiveState;
  /** Those that ended before anybody looked are no part of the whole. */
  #before: Ends | undefined;
  /** What was heard of a step before a look has shown it; from the last look on, and from the one before. */
  #early: Happens[] = [];
  #earlier: Happens[] = [];

  constructor(now: number) {
    this.#state = liveState(now);
  }

  get state(): LiveState {
    return this.#state;
  }

  see({ running, layouts }: View): void {
    const steps = running.filter(({ step }) => step !== undefined);
    const keys = new Set(steps.map(keyOf));
    for (const { key } of this.#state.rows) if (!keys.has(key)) this.#tell({ kind: 'end', key });
    for (const item of steps) this.#begin(item);
    [this.#earlier, this.#early] = [this.#early, []];
    this.#before ??= endsIn(layouts);
    this.#tell({ kind: 'counts', counts: countsOf(layouts, this.#before) });
  }

  hear(entry: LogEntry): void {
    if (entry.kind !== 'event') return;
    const { layout, task, step, event, attempt } = entry;
    const happens: Happens = { kind: 'event', key: `${layout} ${task} ${step}`, event, attempt };
    if (this.#has(happens.key)) this.#tell(happens);
    else this.#early.push(happens);
  }

  #begin(item: Item): void {
    const { name, step = '', agent = '', since } = item;
    const key = keyOf(item);
    if (this.#has(key)) return;
    this.#tell({ kind: 'begin', key, task: name, step, agent, at: Date.parse(since) });
    for (const heard of [...this.#earlier, ...this.#early]) if (heard.key === key) this.#tell(heard);
  }

  #has(key: string): boolean {
    return this.#state.rows.some((row) => row.key === key);
  }

  #tell(change: LiveChange): void {
    this.#state = liveAfter(this.#state, change);
  }
}

function keyOf({ layout, name, step = '' }: Item): string {
  return `${layout} ${name} ${step}`;
}

type Ends = Record<'done' | 'failed' | 'canceled' | 'blocked' | 'tasks', number>;

function endsIn(layouts: readonly LayoutCount[]): Ends {
  const ends: Ends = { done: 0, failed: 0, canceled: 0, blocked: 0, tasks: 0 };
  for (const { tasks, counts } of layouts) {
    ends.tasks += tasks;
    for (const status of ['done', 'failed', 'canceled', 'blocked'] as const)
      ends[status] += counts[status] ?? 0;
  }
  return ends;
}

function countsOf(layouts: readonly LayoutCount[], before: Ends): Counts {
  const now = endsIn(layouts);
  const open = now.tasks - now.done - now.failed - now.canceled;
  // What failed before may be at work again.
  const since = (status: 'done' | 'failed' | 'canceled') => Math.max(0, now[status] - before[status]);
  const [done, failed] = [since('done'), since('failed') + since('canceled')];
  return { done, failed, blocked: now.blocked, total: open + done + failed };
}
