import { eastAsianWidth } from 'get-east-asian-width';

/**
 * Text of tasks comes from models, issues and chats. What would move the cursor, ring, recolour, reorder or
 * hide text on a terminal is shown as an escape instead: C0, DEL, C1, line separators, bidi marks and overrides,
 * invisible characters, tags, lone surrogates. ZWJ and variation selectors stay: emoji are made of them.
 */
const unsafe =
  // oxlint-disable-next-line no-control-regex -- finding them is the purpose
  /[\u0000-\u001F\u007F-\u009F\u00AD\u061C\u115F\u1160\u180E\u200B\u200C\u200E\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB\u{E0000}-\u{E007F}\p{Cs}]/gu;

const short: Readonly<Record<string, string>> = { '\t': ' ', '\n': '\\n', '\r': '\\r', '\u001B': '\\e' };

/** One line, safe to print. */
export function visible(text: string): string {
  return text.replace(unsafe, escapeOne);
}

/** Safe to print, with its line breaks kept; later lines are indented so that none can pose as one of ours. */
export function visibleLines(text: string, indent = '  '): string {
  return text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => visible(line))
    .join(`\n${indent}`);
}

function escapeOne(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return short[char] ?? (code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`);
}

/** How many columns a terminal gives to a text, near enough to align and cut a table. */
const plainAscii = /^[\u0020-\u007E]*$/;
const zero = /[\p{Mn}\p{Me}\u200B-\u200F\u2060]/u;

export function displayWidth(text: string): number {
  if (plainAscii.test(text)) return text.length;
  let sum = 0;
  let previous = '';
  for (const char of text) {
    sum += charWidth(char, previous);
    previous = char;
  }
  return sum;
}

/** The text cut to at most `max` columns; a cut ends in `…`. A wide character is never halved. */
export function cut(text: string, max: number): string {
  if (text.length <= max && plainAscii.test(text)) return text;
  let sum = 0;
  let kept = 0;
  let end = 0;
  let previous = '';
  for (const char of text) {
    sum += charWidth(char, previous);
    if (sum > max) return max < 1 ? '' : `${text.slice(0, kept)}…`;
    end += char.length;
    if (sum <= max - 1) kept = end;
    previous = char;
  }
  return text;
}

/** The text in lines of at most `max` columns, broken at spaces; a word that is longer has lines of its own. */
export function wrapped(text: string, max: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (displayWidth(longer) <= max || line === '') line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

function charWidth(char: string, previous: string): number {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  // The selector that asks for the emoji form of a narrow character widens it.
  if (code === 0xfe0f) return previous !== '' && charWidth(previous, '') === 1 ? 1 : 0;
  if (zero.test(char)) return 0;
  // Joined to the emoji before it, or its skin tone.
  if (previous === '\u200D' || (previous !== '' && code >= 0x1f3fb && code <= 0x1f3ff)) return 0;
  // Half of a flag.
  if (code >= 0x1f1e6 && code <= 0x1f1ff) return 1;
  return eastAsianWidth(code);
}
