import { DocketError } from '../../../errors.ts';
import type { Docket } from '../../../project/docket.ts';
import type { LogEntry } from '../../../project/logs/api.ts';
import type { Item, LayoutCount, View } from '../../../project/view/types.ts';
import type { KindName } from '../../../task/kind-names.ts';
import { type Context, withDocket } from '../frame/context.ts';
import { liveLines } from '../live/lines.ts';
import { Screen } from '../live/live.ts';
import { type Counts, liveAfter, type LiveChange, liveState, type LiveState } from '../live/state.ts';
import { viewFields } from './fields.ts';
import { lookOf, viewLines } from './lines.ts';

const everyMs = 1000;

/** Ends when it is told to, or when nobody reads it any more: both are a good end. */
export async function watch(context: Context, query: { layout?: KindName }): Promise<number> {
  const { world } = context;
  const stop = new AbortController();
  const deaf = world.onStop(() => stop.abort());
  world.stdout.onGone?.(() => stop.abort());
  const { show, hear } = shower(context);
  try {
    await withDocket(context, async (docket) => {
      const viewer = await docket.view();
      const heard = hear && listen(docket, hear, stop.signal);
      for await (const view of viewer.watch(query, everyMs, stop.signal)) show(view);
      await heard;
    });
    return 0;
  } finally {
    deaf();
  }
}

/** Only the live lines depend on it: what is wrong with the files, the view itself tells. */
async function listen(docket: Docket, hear: (entry: LogEntry) => void, signal: AbortSignal): Promise<void> {
  try {
    for await (const entry of docket.logs(undefined, { follow: true, signal })) hear(entry);
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
  }
}

interface Shower {
  show: (view: View) => void;
  /** What agents say meanwhile. */
  hear?: (entry: LogEntry) => void;
}

/** A terminal is written over in place; a pipe gets the whole whenever something is another than before. */
function shower(context: Context): Shower {
  const { args, globals, out, world } = context;
  const { stdout } = world;
  const all = args.options.has('all');
  if (stdout.isTTY === true && !globals.json) {
    const screen = new Screen();
    const work = new AtWork(world.now());
    const show = (view: View): void => {
      work.see(view);
      const look = lookOf(context);
      const room = Math.max(2, (stdout.rows ?? 24) - 1);
      const live = liveLines(work.state, { ...look, height: Math.ceil(room / 2) });
      const lines = viewLines(view, look, { live: true, all }).slice(0, room - live.length);
      stdout.write(screen.frame([...lines, ...live], look.columns));
    };
    return { show, hear: (entry) => work.hear(entry) };
  }
  let before = '';
  const show = (view: View): void => {
    const { at: _, ...rest } = view;
    const now = JSON.stringify(rest);
    if (now === before) return;
    const isFirst = before === '';
    before = now;
    if (globals.json) out.line({ v: 1, ok: true, ...viewFields(view, context) });
    else
      out.data(`${isFirst ? '' : '\n'}${[view.at, ...viewLines(view, lookOf(context), { all })].join('\n')}`);
  };
  return { show };
}

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
