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
