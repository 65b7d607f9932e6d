import { assignmentHint, isLiteralSecret, maskAssignments } from './assignments.ts';
import { maskPrivateKeys } from './private-keys.ts';

export interface Redacted {
  text: string;
  /** How many things were masked. */
  count: number;
}

export const mask = '[REDACTED]';

type Replacer = (found: string, kept: string) => string;
type Mask = readonly [RegExp, string | Replacer];

/** Where a word begins, also right behind an escaped line break, a colour code or a percent code. */
const start = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=\[[\d;]{0,16}m)|(?<=%[0-9A-Fa-f]{2}))`;

/** What can be nothing but a secret. Every length has a bound, so that no text makes this slow; `$1` is what stays. */
const tokens: readonly Mask[] = [
  [new RegExp(`sk-(?<=${start}sk-)[\\w-]{20,4096}`, 'g'), '[REDACTED_API_KEY]'],
  [/[sr]k_(?:live|test)_\w{10,4096}/g, '[REDACTED_API_KEY]'],
  [/AIza[\w-]{30,4096}/g, '[REDACTED_API_KEY]'],
  [/gh[oprsu]_\w{20,4096}|github_pat_\w{20,4096}/g, '[REDACTED_GH_TOKEN]'],
  [/xox[abeoprs]-[\w-]{8,4096}|xapp-[\w-]{8,4096}/g, '[REDACTED_TOKEN]'],
  [/(hooks\.slack\.com\/services\/)[\w/]{8,4096}/g, '$1[REDACTED_TOKEN]'],
  [/glpat-[\w-]{16,4096}|npm_[A-Za-z0-9]{30,4096}|hf_[A-Za-z0-9]{30,4096}/g, '[REDACTED_TOKEN]'],
  [/ya29\.[\w-]{20,4096}|SG\.[\w-]{16,64}\.[\w-]{16,128}/g, '[REDACTED_TOKEN]'],
  [/(?:AKIA|ASIA)[0-9A-Z]{16,128}/g, '[REDACTED_AWS_KEY]'],
  // What has no second part is passed over whole; to look into it again at every letter would be slow.
  [
    /eyJ[\w-]{10,8192}(\.[\w-]{10,8192}(?:\.[\w-]{0,8192}){0,3})?/g,
    (found, rest) => (rest === '' ? found : '[REDACTED_TOKEN]'),
  ],
  // A port before a path is no password.
  [/(:\/\/[^\s/:@"']{0,256}:)(?!\d{1,5}\/)(?:[^\s/"'<>]|\/(?!\/)){1,1024}@/g, `$1${mask}@`],
];

/** Without a digit it is a word of prose. */
const loginTokens: readonly Mask[] = [
  [/(bearer[ \t]{1,64})(?=[A-Za-z._~+/=-]{0,64}\d)[\w.~+/=-]{12,8192}/gi, '$1[REDACTED_TOKEN]'],
  [
    /(basic[ \t]{1,64})[A-Za-z0-9+/]{8,8192}={0,2}/gi,
    (found, kept) => (isLogin(found.slice(kept.length)) ? `${kept}[REDACTED_TOKEN]` : found),
  ],
];

const rules: readonly Mask[] = [
  ...tokens,
  [/(bearer[ \t]{1,64})[\w.~+/=-]{8,8192}/gi, '$1[REDACTED_TOKEN]'],
  [
    /((?:Basic|basic|BASIC)[ \t]{1,64})(?=[a-z+/]{0,64}[A-Z0-9=])[A-Za-z0-9+/=]{8,8192}/g,
    '$1[REDACTED_TOKEN]',
  ],
  [
    /(authorization\\{0,4}["']?[ \t]{0,64}[:=][ \t]{0,64}\\{0,4}["']?(?:[a-z-]{1,20}[ \t]{1,64})?)(?![$<{[]|[a-z-]{1,20}[ \t])[^\s"'\\]{6,8192}/gi,
    '$1[REDACTED_TOKEN]',
  ],
];

/** A mask can lay bare where the next word begins: then another look is due. Most texts need one, none needs so many. */
const mostPasses = 10;

/**
 * The text without what looks like a secret; twice is the same as once. `extra` comes first: a rule that took a part of
 * a known secret would leave the rest of it in the open.
 */
export function redact(text: string, extra: readonly RegExp[] = []): Redacted {
  let { text: now, count } = all(
    text,
    extra.map((pattern) => [pattern, mask]),
  );
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const looked = look(now);
    if (looked.text === now) break;
    now = looked.text;
    count += looked.count;
  }
  return { text: now, count };
}

function look(text: string): Redacted {
  const keys = maskPrivateKeys(text, '[REDACTED_PRIVATE_KEY]');
  const words = all(keys.text, rules);
  const values = maskAssignments(words.text, mask);
  return { text: values.text, count: keys.count + words.count + values.count };
}

/** One of these stands in everything that `maskTokens` takes out; in most texts there is none. */
const tokenHint =
  /sk-|[sr]k_(?:live|test)_|AIza|gh[oprsu]_|github_pat_|xox|xapp-|hooks\.slack|glpat-|npm_|hf_|ya29\.|SG\.|AKIA|ASIA|eyJ|:\/\/|[Bb](?:earer|EARER|asic|ASIC)[ \t]|PRIVATE KEY/;

export function mayHoldSecret(text: string): boolean {
  return tokenHint.test(text) || assignmentHint.test(text);
}

/**
 * Only what can be nothing but a secret, by its own shape or by the name that it is assigned to: code and prose stay as
 * they are, and JSON stays JSON.
 */
export function maskTokens(text: string): string {
  const shaped = tokenHint.test(text)
    ? all(maskPrivateKeys(text, '[REDACTED_PRIVATE_KEY]').text, [...tokens, ...loginTokens]).text
    : text;
  return assignmentHint.test(shaped) ? maskAssignments(shaped, mask, isLiteralSecret).text : shaped;
}

/** A name and a password, as HTTP has them. */
function isLogin(base64: string): boolean {
  try {
    return /^[\x20-\x7E]{0,256}:[\x20-\x7E]+$/.test(atob(base64));
  } catch {
    return false;
  }
}

function all(text: string, masks: readonly Mask[]): Redacted {
  let now: Redacted = { text, count: 0 };
  for (const [pattern, by] of masks) {
    const next = replace(now.text, pattern, by);
    now = { text: next.text, count: now.count + next.count };
  }
  return now;
}

function replace(text: string, pattern: RegExp, by: string | Replacer): Redacted {
  let count = 0;
  const everywhere = pattern.global ? pattern : new RegExp(pattern, `${pattern.flags}g`);
  const changed = text.replace(everywhere, (found: string, first: unknown) => {
    const kept = typeof first === 'string' ? first : '';
    const after = typeof by === 'string' ? by.replace('$1', () => kept) : by(found, kept);
    if (found === '' || after === found) return found;
    count += 1;
    return after;
  });
  return { text: changed, count };
}
