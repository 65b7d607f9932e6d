import { findList } from './list.ts';
import { locate } from './whole.ts';

/** Where the first item goes in a file that can only hold it in brackets (JSON, a quoted key); undefined: in any other. */
export function emptyPlace(text: string): { head: string; tail: string } | undefined {
  if (findList(text).kind !== 'unsure') return undefined;
  const place = locate(text);
  if ('message' in place || place.kind === 'lines') return undefined;
  if (place.kind === 'brackets') return { head: text.slice(0, place.open), tail: text.slice(place.open) };
  return { head: `${text.slice(0, place.from)}[`, tail: `]${text.slice(place.to)}` };
}
