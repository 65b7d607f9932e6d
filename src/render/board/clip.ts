/** On one line, without what steers a terminal or hides in the text, and without tags that would call people. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/[\p{Bidi_C}\p{Cs}\u200B\u2060\uFEFF]/gu, '')
    .replaceAll(/<(?=\s*\/?\s*at\b)/gi, '‹')
    .trim();
}

/** One line of about `length` characters: a longer one keeps one less, and three dots follow. */
export function clip(text: string, length: number): string {
  const line = oneLine(text);
  return firstLetters(line, length) === line ? line : `${firstLetters(line, length - 1)}...`;
}

/** Cut between two letters, never inside one. */
export function firstLetters(text: string, count: number): string {
  if (text.length <= count) return text;
  return Array.from(text.slice(0, 2 * count))
    .slice(0, count)
    .join('');
}

export function countLetters(text: string): number {
  return Array.from(text).length;
}
