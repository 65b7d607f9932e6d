import type { Redacted } from './redact.ts';

const words = [
  'pass(?:word|wd|phrase)',
  '[_-]pwd',
  'secret',
  '(?:api|access|private|secret|signing|encryption|account)[_-]?key',
  '(?:access|auth|refresh|session|security|bearer)[_-]?token',
  '[_-]token(?!s)',
  'credential',
  '密码|口令|密钥|令牌|パスワード|暗証番号|비밀번호',
].join('|');
const name = `(?:${words})s?(?:[_-][a-z0-9]{1,20}){0,3}`;
const assigns = String.raw`\\{0,4}["'\x60]?\]?[?!]?[ \t]*(?:=>|:=|={1,3}|!==?|:|：|＝|%3[AD])[ \t]*`;
const opens = String.raw`(?:(\\{0,4})((["'\x60])(?:\4\4)?))?`;
/** What gives a secret a value: `name = …`, `"name": …`, `--name …`, `<name>…`, and the quote before the value. */
const head = new RegExp(`${name}(?:${assigns}|([ \\t]+|>))${opens}`, 'gi');
/** A space gives a value to an option only, an angle bracket to a tag. It is looked at last: looking back is slow. */
const isOption = /--[a-z-]*$/i;
const isTag = /<[\w:.-]*$/;

/** What ends a sentence or a piece of code, not a value. */
const closers = '\\,;.)]}>，。；、）';
const end = String.raw`[\\,;.)\]}>，。；、）]*$`;
const alreadyMasked = new RegExp(String.raw`^\[REDACTED(?:_[A-Z]+)*\]${end}`);
/** A value that only says where the secret is, or of which type: code stays readable for who reviews it. */
const reference = new RegExp(
  [
    String.raw`^\$\{[^{}]*\}${end}`,
    String.raw`^\$\(`,
    String.raw`^\$[A-Z][A-Z0-9_]*${end}`,
    String.raw`^\{\{`,
    `^<[a-z _-]+>${end}`,
    `^(?:string|str|number|boolean|bool|bytes|any|unknown|undefined|null|None|nil|[tT]rue|[fF]alse)${end}`,
    `^(?:await|new|async|function)$`,
    String.raw`^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*\(`,
    String.raw`^(?:process|os|import\.meta|req|request|this|self|config|options|env|props|args|ctx)\??[.[]["'A-Za-z_]`,
  ].join('|'),
);
/** No reference is longer. */
const longest = 300;

/** A cheap first look: most texts do not match. */
export const assignmentHint = new RegExp(`${name}${assigns}`, 'i');

/** `NAME=value` of a shell or an .env file: nothing else is written so. */
const variable = /(?:^|[\s"'`;&|,({[]|\\[nrt])(?:export )?[A-Z][A-Z0-9_]*=\\{0,4}["'`]?$/;

/**
 * Whether a value is the secret itself, and not a word of prose or code: what a shell variable is set to, or letters and
 * digits of a generated key. For texts that people and agents read; a guess too many would make them useless.
 */
export function isLiteralSecret(value: string, before: string): boolean {
  if (value.length < 6 || /^[./~]/.test(value) || /[\s(){}<>[\]]/.test(value)) return false;
  if (variable.test(before)) return !/^(?:true|false|null|none|yes|no|on|off|\d+)$/i.test(value);
  return value.length >= 8 && /\d/.test(value) && /[A-Za-z]/.test(value) && !/^[\d.]+[a-z]{0,3}$/.test(value);
}

/**
 * Masks what is assigned to a name that speaks of a secret. The name stays, so that a reader knows what was there. `isOne`
 * is asked about each value, with what stands before it.
 */
export function maskAssignments(
  text: string,
  mask: string,
  isOne: (value: string, before: string) => boolean = () => true,
): Redacted {
  let masked = '';
  let done = 0;
  let count = 0;
  head.lastIndex = 0;
  for (let found = head.exec(text); found; found = head.exec(text)) {
    const [whole, loose = '', slashes = '', quote = ''] = found;
    if (
      loose !== '' &&
      !(loose === '>' ? isTag : isOption).test(text.slice(Math.max(0, found.index - 40), found.index))
    )
      continue;
    const from = found.index + whole.length;
    const to =
      quote === '' ? bareEnd(text, from, loose === '>') : quotedEnd(text, from, quote, slashes.length);
    head.lastIndex = Math.max(from, to);
    const value = text.slice(from, Math.min(to, from + longest));
    if (value === '' || alreadyMasked.test(value) || (to - from < longest && reference.test(value))) continue;
    const last = quote === '' ? withoutClosers(text, from, to) : to;
    if (!isOne(text.slice(from, last), text.slice(Math.max(0, found.index - 60), from))) continue;
    masked += text.slice(done, from) + mask;
    done = last;
    count += 1;
  }
  return { text: masked + text.slice(done), count };
}

/** Up to a space or a quote: a password may hold everything else. */
function bareEnd(text: string, from: number, inTag: boolean): number {
  const stop = inTag ? /[<\r\n]/g : /[\s"'`]/g;
  stop.lastIndex = from;
  return stop.exec(text)?.index ?? text.length;
}

/** One letter is a value, whatever it is. */
function withoutClosers(text: string, from: number, to: number): number {
  let last = to;
  while (last > from + 1 && closers.includes(text.charAt(last - 1))) last -= 1;
  return last;
}

/** Up to the quote that closes it, on the same line; `depth` backslashes stood before the one that opened it. */
function quotedEnd(text: string, from: number, quote: string, depth: number): number {
  const stop = new RegExp(`${quote}|[\\r\\n]`, 'g');
  stop.lastIndex = from;
  for (let found = stop.exec(text); found; found = stop.exec(text)) {
    let slashes = 0;
    while (found.index - slashes > from && text.charAt(found.index - slashes - 1) === '\\') slashes += 1;
    if (found[0] !== quote) return found.index;
    if (depth === 0 ? slashes % 2 === 0 : slashes <= depth) return found.index - (depth === 0 ? 0 : slashes);
  }
  return text.length;
}
