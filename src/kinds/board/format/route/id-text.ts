import type { Intent } from '../intent.ts';
import { type Command, named, type Of, tail } from './command.ts';
import type { Scanner } from './scanner.ts';

type TextKey = 'result' | 'reason' | 'note';
type IdText = Extract<
  Intent,
  { taskId: string } & ({ result?: string } | { reason?: string } | { note?: string })
>['intent'];

/** An id and, mostly, some text about it: `block task T-1: no access`. */
export function idText<N extends IdText>(intent: N, key: TextKey): Command<N> {
  return {
    read: (scanner) => {
      const taskId = scanner.id();
      const text = taskId === undefined ? undefined : textAfter(scanner, taskId);
      if (text === undefined) return undefined;
      return { intent, taskId, ...(text === '' ? {} : { [key]: text }) } as Of<N>;
    },
    write: (said, locale) => {
      const { taskId, [key]: text } = said as { taskId: string } & Partial<Record<TextKey, string>>;
      return `${named(taskId)}${tail(text, locale)}`;
    },
    usage: (id = 'T-001') => `${id}: …`,
  };
}

/** An id or nothing. */
export function maybeId<N extends 'run' | 'synthesize'>(intent: N): Command<N> {
  return {
    read: (scanner) => {
      if (scanner.atEnd()) return { intent } as Of<N>;
      const taskId = scanner.id();
      return taskId !== undefined && scanner.atEnd() ? ({ intent, taskId } as Of<N>) : undefined;
    },
    write: ({ taskId }: { taskId?: string }) => (taskId === undefined ? '' : named(taskId)),
    usage: (id = '') => id,
  };
}

/**
 * The text that follows an id; '' where there is none. Without a colon, `done with T-1` is talk and no command: the word
 * must be a task, look like an id, or stand alone.
 */
export function textAfter(scanner: Scanner, id: string): string | undefined {
  if (scanner.colon()) return scanner.rest();
  if (scanner.atEnd()) return '';
  if (scanner.take(/[^\S\n]*(?:,\s*|\n\s*)/y) !== undefined) return scanner.rest();
  if (!looksLikeId(id) && !scanner.isTask(id)) return undefined;
  return scanner.take(/\s+(?:[-–—]+\s+)?/y) === undefined ? undefined : scanner.rest();
}

function looksLikeId(id: string): boolean {
  return /[A-Za-z]/.test(id) && /\d/.test(id);
}
