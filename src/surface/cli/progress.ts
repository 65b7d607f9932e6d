import type { RunInput } from '../../app.ts';
import type { Context } from './context.ts';
import { nameOf } from './name.ts';
import { visible } from './visible.ts';

type Progress = Parameters<NonNullable<RunInput['onProgress']>>[0];
type Happened = Pick<Extract<Progress, { kind: 'event' }>, 'event' | 'attempt'>;

const longest = 100;

/** What happens, one line each, on stderr: enough to see that it lives, not the whole conversation. */
export class ProgressLines {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  tell(progress: Progress): void {
    const text = textOf(progress);
    if (text === undefined) return;
    const { out } = this.#context;
    out.talk(`${out.paintTalk('cyan', visible(nameOf(progress.task)))} ${visible(text)}`);
  }
}

function textOf(progress: Progress): string | undefined {
  switch (progress.kind) {
    case 'started':
      return 'starts';
    case 'step':
      return `${progress.title}: ${progress.agent}${again(progress.attempt)}`;
    case 'stepped':
      return `${progress.title}: ${progress.state}${after(progress.summary)}`;
    case 'ended':
      return `is ${progress.task.status}`;
    case 'event':
      return eventText(progress);
  }
}

function again(attempt: number): string {
  return attempt === 1 ? '' : ` (attempt ${attempt})`;
}

function after(summary: string): string {
  return summary.trim() === '' ? '' : `: ${brief(summary)}`;
}

/** An agent's event in a few words; undefined: not worth a line. */
export function eventText({ event, attempt }: Happened): string | undefined {
  switch (event.type) {
    case 'session':
      return `session ${event.id}`;
    case 'tool':
      return event.phase === 'start' ? `${event.name} ${brief(event.input ?? '')}` : undefined;
    case 'file':
      return `${event.change} ${event.path}`;
    case 'limit':
      return `limit: ${brief(event.message)}${event.resetAt === undefined ? '' : ` (until ${event.resetAt})`}`;
    case 'question':
      return `asks: ${brief(event.question.text)} → ${event.answer}`;
    case 'denied':
      return `was not allowed: ${brief(event.text)}`;
    case 'warning':
      return `warning: ${brief(event.text)}`;
    case 'end':
      return event.error
        ? `attempt ${attempt} failed: ${event.error.class === 'unknown' ? '' : `${event.error.class}: `}${brief(event.error.message)}`
        : undefined;
    case 'text':
    case 'usage':
      return undefined;
  }
}

export function brief(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length <= longest ? line : `${line.slice(0, longest)}…`;
}
