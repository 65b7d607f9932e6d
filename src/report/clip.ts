const mark = ' … (cut)';

/** A text of at most `max` characters that says when it was longer. No surrogate pair is cut in two. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = text.slice(0, max - mark.length);
  const last = kept.charCodeAt(kept.length - 1);
  return `${last >= 0xd800 && last <= 0xdbff ? kept.slice(0, -1) : kept}${mark}`;
}

/** The beginning and the end of a text, where errors are told; what lies between is counted. */
export function bothEnds(text: string, max: number): string {
  if (text.length <= max) return text;
  const half = Math.floor(max / 2);
  return `${text.slice(0, half)}\n... [${text.length - 2 * half} characters left out] ...\n${text.slice(-half)}`;
}
