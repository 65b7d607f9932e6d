import type { RunInput } from '../../../project/docket.ts';

type Progress = Parameters<NonNullable<RunInput['onProgress']>>[0];
export type Happened = Pick<Extract<Progress, { kind: 'event' }>, 'event' | 'attempt'>;

const longest = 100;

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

/** The same for a line that is written over: there also what it says is shown, and what is kept short. */
export function doingText(happened: Happened): string | undefined {
  const { event } = happened;
  if (event.type === 'session') return 'begins';
  if (event.type === 'text') return event.text.trim() === '' ? undefined : brief(event.text);
  return eventText(happened);
}

/** What a person wants to read later too, when the line that it stood in is gone. */
export function isLasting({ event }: Happened): boolean {
  return !['session', 'tool', 'file', 'text', 'usage'].includes(event.type);
}

export function brief(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length <= longest ? line : `${line.slice(0, longest)}…`;
}
