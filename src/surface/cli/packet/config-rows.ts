import type { AlignedRow } from '../aligned.ts';

/** Every value that is in force: its key, the file that it came from, and the value. */
export function configRows(value: unknown, sources: Readonly<Record<string, string>>): AlignedRow[] {
  return leaves(value, []).map(({ keys, text }) => ({
    cells: [keys.join('.'), sourceOf(keys, sources)],
    last: text,
  }));
}

function leaves(value: unknown, keys: readonly string[]): { keys: readonly string[]; text: string }[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [{ keys, text: textOf(value) }];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...keys, key]));
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return JSON.stringify(value) ?? '';
  return value.map(textOf).join(', ');
}

/** A source may be told for a whole part at once. */
function sourceOf(keys: readonly string[], sources: Readonly<Record<string, string>>): string {
  for (let length = keys.length; length > 0; length--) {
    const key = keys.slice(0, length).join('.');
    if (Object.hasOwn(sources, key)) return sources[key] ?? '-';
  }
  return '-';
}
