import type { RunInput } from '../../../project/docket.ts';
import { deliveryLine } from '../../../render/delivery.ts';
import type { Context } from '../frame/context.ts';
import { nameOf } from '../frame/name.ts';
import { brief, eventText, type Happened, isLasting } from '../frame/progress-text.ts';
import type { OtherProgress } from '../frame/stream.ts';
import { visible } from '../frame/visible.ts';
import type { Live } from './live.ts';
import { Tally } from './state.ts';

type Progress = Parameters<NonNullable<RunInput['onProgress']>>[0];

/** What is done before, between and after the steps of a task. */
const before = 'making ready';
const after = 'looking at the work';

/** What happens, one line each, on stderr: enough to see that it lives, not the whole conversation. */
export class ProgressLines {
  readonly #context: Context;
  readonly #live: Live | undefined;
  readonly #rows: TaskRows | undefined;
  readonly #tally = new Tally();

  /** `live`: what runs is shown there, and only what lasts in lines of its own. */
  constructor(context: Context, live?: Live) {
    this.#context = context;
    this.#live = live;
    this.#rows = live && new TaskRows(live, () => context.world.now());
  }

  /** So many tasks wait for their turn. */
  expect(count: number): void {
    this.#tally.expected = count;
    this.#count();
  }

  /** These are to be run beside those of the queue. */
  awaits(others: readonly Pick<OtherProgress, 'layout' | 'id'>[]): void {
    for (const other of others) this.#tally.awaits(keyOf(other));
    this.#count();
  }

  tell(progress: Progress): void {
    const { task, kind } = progress;
    const name = nameOf(task);
    if (kind === 'started') this.#begin(task.id, name);
    if (kind === 'step') {
      const { step, title, agent } = progress;
      this.#rows?.step(task.id, step, { task: name, step: title, agent });
    }
    if (kind === 'event') this.#event(`${task.id} ${progress.step}`, progress);
    if (kind === 'stepped') this.#rows?.stepped(task.id, progress.step, name, after);
    if (kind === 'ended') this.#end(task.id, task.status);
    const text = textOf(progress);
    if (text !== undefined && !this.#isPassing(progress)) this.#talk(name, text);
  }

  /** In task directories, packets and on the board. */
  tellOther(progress: OtherProgress): void {
    const { layout, id, kind } = progress;
    const key = keyOf(progress);
    const { out } = this.#context;
    if (kind === 'started') {
      this.#begin(key, id);
      if (!this.#live) out.talk(`${layout} ${visible(id)}  started  ${visible(progress.title ?? '')}`);
    } else if (kind === 'ended') {
      const state = progress.task?.status ?? 'ended';
      this.#end(key, state);
      out.talk(`${layout} ${visible(id)}  ${state}${visible(said(progress.said ?? ''))}`);
    } else {
      const step = `${progress.name} ${progress.step}`;
      if (kind === 'step')
        this.#rows?.step(key, step, { task: progress.name, step: progress.step, agent: progress.agent });
      if (kind === 'event') this.#event(`${key} ${step}`, progress);
      if (kind === 'stepped') {
        this.#rows?.stepped(key, step, id, after);
        if (this.#live)
          this.#talk(progress.name, `${progress.step}: ${progress.state}${said(progress.summary)}`);
      }
    }
  }

  #begin(key: string, name: string): void {
    this.#tally.begin(key);
    this.#rows?.begin(key, name, before);
    this.#count();
  }

  #event(key: string, { event, attempt }: Happened): void {
    this.#live?.tell({ kind: 'event', key, event, attempt });
  }

  #end(key: string, state: string): void {
    this.#tally.end(key, state);
    this.#rows?.end(key);
    this.#count();
  }

  #count(): void {
    this.#live?.tell({ kind: 'counts', counts: this.#tally.counts });
  }

  #talk(name: string, text: string): void {
    const { out } = this.#context;
    out.talk(`${out.paintTalk('cyan', visible(name))} ${visible(text)}`);
  }

  /** It stands in the row of its step while that runs. */
  #isPassing(progress: Progress): boolean {
    if (!this.#live) return false;
    if (progress.kind === 'event') return !isLasting(progress);
    return progress.kind === 'started' || progress.kind === 'step';
  }
}

function keyOf({ layout, id }: Pick<OtherProgress, 'layout' | 'id'>): string {
  return `${layout} ${id}`;
}

function textOf(progress: Progress): string | undefined {
  switch (progress.kind) {
    case 'started':
      return 'starts';
    case 'step':
      return `${progress.title}: ${progress.agent}${again(progress.attempt)}`;
    case 'stepped':
      return `${progress.title}: ${progress.state}${said(progress.summary)}`;
    case 'ended':
      return ['is ' + progress.task.status, deliveryLine(progress.task)].filter(Boolean).join(', ');
    case 'event':
      return eventText(progress);
  }
}

function again(attempt: number): string {
  return attempt === 1 ? '' : ` (attempt ${attempt})`;
}

function said(summary: string): string {
  return summary.trim() === '' ? '' : `: ${brief(summary)}`;
}

type Begun = { task: string; step: string; agent: string };

/** A task that is worked on always has a row: those of its steps, or one of its own while none is at work. */
class TaskRows {
  readonly #live: Live;
  readonly #now: () => number;
  readonly #steps = new Map<string, Set<string>>();

  constructor(live: Live, now: () => number) {
    this.#live = live;
    this.#now = now;
  }

  begin(id: string, task: string, step: string): void {
    this.#steps.set(id, new Set());
    this.#begin(id, { task, step, agent: '' });
  }

  step(id: string, step: string, about: Begun): void {
    this.#steps.get(id)?.add(step);
    this.#begin(`${id} ${step}`, about, id);
  }

  /** `then`: what comes after it, if nothing else is at work. */
  stepped(id: string, step: string, task: string, then: string): void {
    const key = `${id} ${step}`;
    const left = this.#steps.get(id);
    left?.delete(step);
    if (left?.size === 0) this.#begin(id, { task, step: then, agent: '' }, key);
    else this.#live.tell({ kind: 'end', key });
  }

  end(id: string): void {
    for (const step of this.#steps.get(id) ?? []) this.#live.tell({ kind: 'end', key: `${id} ${step}` });
    this.#live.tell({ kind: 'end', key: id });
    this.#steps.delete(id);
  }

  /** In the place of another, so that no row jumps while it is read. */
  #begin(key: string, about: Begun, replaces?: string): void {
    const place = replaces === undefined ? {} : { replaces };
    this.#live.tell({ kind: 'begin', key, ...about, ...place, at: this.#now() });
  }
}
