import type { Progress, StepProgress, TaskRef } from '../../../engine/progress.ts';
import { deliveryLine } from '../../../render/delivery.ts';
import type { KindName } from '../../../task/kind-names.ts';
import type { Task } from '../../../task/schema.ts';
import type { Context } from '../frame/context.ts';
import { brief, eventText, isLasting } from '../frame/progress-text.ts';
import { visible } from '../frame/visible.ts';
import type { Live } from './live.ts';
import { Tally } from './state.ts';

/** What is done before, between and after the steps of a task. */
const before = 'making ready';
const after = 'looking at the work';

/** The words of a command for what happens. */
export interface Wording {
  /** Tasks have the rows of the live view, or the steps of the only task. */
  rows: 'tasks' | 'steps';
  /** Prints a line where it is worth one. `isShown`: the live view shows what passes. */
  print(progress: Progress, isShown: boolean): void;
}

/** Shows what runs, in the live view where there is one, and prints what lasts. */
export class ProgressLines {
  readonly #live: Live | undefined;
  readonly #words: Wording;
  readonly #rows: TaskRows | undefined;
  readonly #tally = new Tally();

  constructor(context: Context, live: Live | undefined, words: Wording) {
    this.#live = live;
    this.#words = words;
    this.#rows = live && new TaskRows(live, () => context.world.now());
  }

  /** So many tasks, or steps, wait for their turn. */
  expect(count: number): void {
    this.#tally.expected = count;
    this.#count();
  }

  /** These are to be run beside those of the queue. */
  awaits(others: readonly { layout: KindName; id: string }[]): void {
    for (const { layout, id } of others) this.#tally.awaits(keyOf({ kind: layout, id }));
    this.#count();
  }

  tell(progress: Progress): void {
    if (this.#words.rows === 'tasks') this.#showTask(progress);
    else if (progress.kind !== 'started' && progress.kind !== 'ended') this.#showStep(progress);
    this.#words.print(progress, this.#live !== undefined);
  }

  #showTask(progress: Progress): void {
    const { ref, kind } = progress;
    const key = keyOf(ref);
    switch (kind) {
      case 'started':
        this.#rows?.begin(key, ref.name, before);
        return this.#begin(key);
      case 'step': {
        const { step, title, agent } = progress;
        return this.#rows?.step(key, step, { task: ref.name, step: title, agent });
      }
      case 'event':
        return this.#live?.tell({ ...progress, key: `${key} ${progress.step}` });
      case 'stepped':
        return this.#rows?.stepped(key, progress.step, ref.name, after);
      case 'ended':
        this.#rows?.end(key);
        return this.#end(key, progress.task?.status ?? 'ended');
    }
  }

  #showStep(progress: StepProgress): void {
    const { step: key, title, agent, kind } = progress;
    if (kind === 'event') return this.#live?.tell({ ...progress, key });
    if (kind === 'step') {
      this.#rows?.alone(key, { task: key, step: title === key ? '' : title, agent });
      return this.#begin(key);
    }
    this.#rows?.end(key);
    this.#end(key, progress.state);
  }

  #begin(key: string): void {
    this.#tally.begin(key);
    this.#count();
  }

  #end(key: string, state: string): void {
    this.#tally.end(key, state);
    this.#count();
  }

  #count(): void {
    this.#live?.tell({ kind: 'counts', counts: this.#tally.counts });
  }
}

function keyOf({ kind, id }: Pick<TaskRef, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}

/** What happens to tasks, a line each: enough to see that they go on. Of tasks that are not of this kind, begin and end. */
export function taskWords({ out }: Context, own?: KindName): Wording {
  const talk = (name: string, text: string): void =>
    out.talk(`${out.paintTalk('cyan', visible(name))} ${visible(text)}`);
  const ownLine = (progress: Progress, isShown: boolean): void => {
    const text = textOf(progress);
    if (text !== undefined && !(isShown && isPassing(progress))) talk(progress.ref.name, text);
  };
  /** What the last step of each ended with: the same is not printed again. */
  const said = new Map<string, string>();
  const otherLine = (progress: Progress, isShown: boolean): void => {
    const { ref, kind } = progress;
    const head = `${ref.kind} ${visible(ref.name)}`;
    if (kind === 'started' && !isShown) out.talk(`${head}  started  ${visible(ref.title)}`);
    if (kind === 'stepped' && isShown) {
      said.set(head, progress.summary);
      talk(ref.name, `${progress.step}: ${progress.state}${colon(progress.summary)}`);
    }
    if (kind !== 'ended') return;
    const { task } = progress;
    const detail = task && isShown ? saidOf(task) : '';
    const text = detail === said.get(head) ? '' : colon(detail);
    said.delete(head);
    out.talk(`${head}  ${task?.status ?? 'ended'}${visible(text)}`);
  };
  return {
    rows: 'tasks',
    print: (progress, isShown) => (progress.ref.kind === own ? ownLine : otherLine)(progress, isShown),
  };
}

/** The rows of the live view show it while it lasts. */
export function isPassing(progress: Progress): boolean {
  if (progress.kind === 'event') return !isLasting(progress);
  return progress.kind === 'started' || progress.kind === 'step';
}

function textOf(progress: Progress): string | undefined {
  switch (progress.kind) {
    case 'started':
      return 'starts';
    case 'step':
      return `${progress.title}: ${progress.agent}${again(progress.attempt)}`;
    case 'stepped':
      return `${progress.title}: ${progress.state}${colon(progress.summary)}`;
    case 'ended':
      return (
        progress.task &&
        [`is ${progress.task.status}`, deliveryLine(progress.task)].filter(Boolean).join(', ')
      );
    case 'event':
      return eventText(progress);
  }
}

export function again(attempt: number): string {
  return attempt === 1 ? '' : ` (attempt ${attempt})`;
}

function colon(summary: string): string {
  return summary.trim() === '' ? '' : `: ${brief(summary)}`;
}

/** What came of a task, in a line. */
function saidOf(task: Task): string {
  switch (task.status) {
    case 'done':
      return task.summary;
    case 'blocked':
      return task.reason.text;
    case 'failed':
      return task.failure.error;
    default:
      return '';
  }
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

  /** A row without others below it. */
  alone(id: string, about: Begun): void {
    this.#begin(id, about);
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
