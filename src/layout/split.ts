import type { Sheet } from './layout.ts';

/**
 * The whole file is one entry, whatever it says: a directory has one task, so an id that somebody changes is an edit of
 * that task, and never one task gone and another come.
 */
export const onlyRef = 'task';

export function split(text = ''): Sheet {
  if (text.trim() === '') return { head: '', entries: [], tail: text };
  return { head: '', entries: [{ ref: onlyRef, text, line: 1 }], tail: '' };
}

export function join({ head, entries, tail }: Sheet): string {
  return head + entries.map((entry) => entry.text).join('') + tail;
}
