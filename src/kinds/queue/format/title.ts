import type { Json } from '../../../task/json.ts';

const maxLength = 80;

/** What people see of a task: its `summary`, else the first line of its text, else its name. */
export function titleOf(summary: Json | undefined, content: Json | undefined, name: string): string {
  return typeof summary === 'string' && summary !== '' ? summary : titleWithout(content, name);
}

/** The title that a record without a summary gives. */
export function titleWithout(content: Json | undefined, name: string): string {
  return (typeof content === 'string' && firstLine(content)) || name;
}

function firstLine(text: string): string {
  for (const line of text.split('\n', 50)) {
    const words = line.trim().replace(/^#{1,6}[ \t]+/, '');
    if (words !== '') return words.length > maxLength ? `${cut(words)}…` : words;
  }
  return '';
}

/** Cuts between characters, never inside one. */
function cut(words: string): string {
  return Array.from(words.slice(0, 2 * maxLength))
    .slice(0, maxLength - 1)
    .join('');
}
