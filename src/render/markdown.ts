import { clip } from '../report/clip.ts';

const control = /[\p{Cc}\p{Bidi_C}\p{Zl}\p{Zp}]+/gu;
/** What would begin a heading, list, quote, rule, fence, link target or front matter at the start of a block. */
const opener = /^(?:[#>+*=~`[-]|\d{1,9}[.)])/;

/** Most titles are; the long way takes ten times as long, and a board has hundreds of them. */
const harmless = /^[\w.,:;/'"()=+-]+(?: [\w.,:;/'"()=+-]+)*$/;

/**
 * Somebody's words as one line of Markdown, to stand behind other words of that line: no tag, comment, link or image in
 * it is live, so it can neither end what we manage nor load anything.
 */
export function inline(text: string, max = 2000): string {
  if (text.length <= max && harmless.test(text)) return text;
  const line = clip(text.replace(control, ' ').replaceAll(/ {2,}/g, ' ').trim(), max);
  return line.replaceAll(/<(?=[A-Za-z/!?])/g, '&lt;').replaceAll('](', ']\\(');
}

/** The same where it stands alone, as a list item or heading does. */
export function block(text: string, max?: number): string {
  const line = inline(text, max);
  return opener.test(line) ? `\\${line}` : line;
}

/** The same between the bars of a table. */
export function cell(text: string, max?: number): string {
  return inline(text, max).replaceAll('|', '\\|');
}

/** A block of code. No text can end its own fence. */
export function codeBlock(text: string, language = ''): string {
  const runs = text.match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${fence}${language}\n${text}\n${fence}`;
}
