/** A window of a long list or text, and how to get what lies before and after it. */
export interface Window<T> {
  shown: T;
  more: string[];
}

/** `call`: what to call for another window, without the offset. */
export function rowsFrom<T>(all: readonly T[], offset: number, most: number, call: string): Window<T[]> {
  const shown = all.slice(offset, offset + most);
  const left = all.length - offset - shown.length;
  return {
    shown,
    more: left > 0 ? [`${left} more of ${all.length}: ${call} and offset ${offset + most}`] : [],
  };
}

/** The last ones: of what happened, that is what counts. */
export function lastRows<T>(all: readonly T[], most: number, call: string): Window<T[]> {
  const hidden = Math.max(0, all.length - most);
  return { shown: all.slice(hidden), more: hidden > 0 ? [`${hidden} earlier ones: ${call}`] : [] };
}

/** Never half of a character. */
export function textFrom(all: string, offset: number, most: number, call: string): Window<string> {
  const from = isInside(all, offset) ? offset + 1 : offset;
  const to = isInside(all, from + most) ? from + most - 1 : from + most;
  const left = all.length - to;
  return {
    shown: all.slice(from, to),
    more: left > 0 ? [`${left} more characters of ${all.length}: ${call} and offset ${to}`] : [],
  };
}

export function clipped(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, isInside(text, most - 1) ? most - 2 : most - 1)}…`;
}

/** Between the two halves of one character. */
function isInside(text: string, at: number): boolean {
  return (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}
