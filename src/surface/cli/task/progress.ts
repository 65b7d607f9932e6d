import type { StepProgress } from '../../../kinds/directory/api.ts';
import type { Context } from '../context.ts';
import type { Live } from '../live/live.ts';
import { Tally } from '../live/tally.ts';
import { brief, eventText, isLasting } from '../progress-text.ts';
import { visible } from '../visible.ts';

/** What happens in a run, one line each, on stderr; with live lines only what lasts. */
export class StepLines {
  readonly #context: Context;
  readonly #live: Live | undefined;
  readonly #tally = new Tally();

  constructor(context: Context, live?: Live) {
    this.#context = context;
    this.#live = live;
  }

  /** So many steps are ordered, as far as is known. */
  expect(count: number): void {
    this.#tally.expected = count;
    this.#live?.tell({ kind: 'counts', counts: this.#tally.counts });
  }

  tell(progress: StepProgress): void {
    this.#show(progress);
    if (this.#live && isPassing(progress)) return;
    const text = textOf(progress);
    const { out } = this.#context;
    if (text !== undefined) out.talk(`${out.paintTalk('cyan', visible(progress.step))} ${visible(text)}`);
  }

  #show(progress: StepProgress): void {
    const { step: key, title, agent, kind } = progress;
    const live = this.#live;
    if (!live) return;
    if (kind === 'event') return live.tell({ ...progress, key });
    if (kind === 'started') {
      this.#tally.begin(key);
      live.tell({ kind: 'begin', key, task: key, step: title === key ? '' : title, agent, at: this.#now });
    } else {
      this.#tally.end(key, progress.state);
      live.tell({ kind: 'end', key });
    }
    live.tell({ kind: 'counts', counts: this.#tally.counts });
  }

  get #now(): number {
    return this.#context.world.now();
  }
}

/** It stands in the line of its step while that runs. */
function isPassing(progress: StepProgress): boolean {
  return progress.kind === 'event' ? !isLasting(progress) : progress.kind === 'started';
}

function textOf(progress: StepProgress): string | undefined {
  if (progress.kind === 'event') return eventText(progress);
  if (progress.kind === 'ended') return `is ${progress.state}: ${brief(progress.summary)}`;
  const again = progress.attempt > 1 ? ` (attempt ${progress.attempt})` : '';
  return `starts with ${progress.agent}${again}: ${brief(progress.title)}`;
}
