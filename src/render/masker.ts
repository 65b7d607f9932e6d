import { literally } from './known-secrets.ts';
import { mask, maskTokens, mayHoldSecret } from './redact.ts';

/** Takes secrets out of what is written down or sent: the known ones, however they are spelled, and what can only be one. */
export interface Masker {
  text(text: string): string;
  /** Output of programs: what was a line of JSON stays one. */
  lines(text: string): string;
  /** Every text in it; the very same value where there is nothing to mask. */
  value<T>(value: T): T;
  /** What it knows, for a process of our own that masks what it passes on. */
  readonly secrets: readonly string[];
}

export function makeMasker(secrets: readonly string[]): Masker {
  const [known] = literally(secrets);
  // JSON may write any letter as \uXXXX; only of these letters programs make use of that.
  const isEscapable = secrets.some((secret) => /[^\x20-\x7E]|[<>&'"\\]/.test(secret));
  const text = (said: string): string => maskTokens(known ? said.replaceAll(known, mask) : said);
  const line = (said: string): string => {
    const masked = text(said);
    const mayHide = isEscapable && said.includes(String.raw`\u`);
    if (!/^\s*[[{]/.test(said) || (masked === said && !mayHide)) return masked;
    const before = parsed(said);
    if (before === undefined || (!mayHide && parsed(masked) !== undefined)) return masked;
    const after = masker.value(before.value);
    return after === before.value ? masked : JSON.stringify(after) + (said.endsWith('\n') ? '\n' : '');
  };
  const masker: Masker = {
    text,
    lines(said) {
      const mayHold = known?.test(said) === true || mayHoldSecret(said) || isEscapable;
      if (known) known.lastIndex = 0;
      return mayHold
        ? runsOf(said)
            .map((run) => (run.isJson ? line(run.text) : text(run.text)))
            .join('')
        : said;
    },
    value: (value) =>
      deeply(value, (said) => (/^\s*[[{]/.test(said) ? masker.lines(said) : text(said))) as typeof value,
    secrets,
  };
  return masker;
}

/** Lines of JSON one by one, all between them together: a key may have many lines. */
function runsOf(text: string): { text: string; isJson: boolean }[] {
  const runs: { text: string; isJson: boolean }[] = [];
  for (const part of text.split(/(?<=\n)/)) {
    const isJson = /^\s*[[{]/.test(part);
    const last = runs.at(-1);
    if (!isJson && last && !last.isJson) last.text += part;
    else runs.push({ text: part, isJson });
  }
  return runs;
}

function parsed(line: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(line) };
  } catch {
    return undefined;
  }
}

/** A number that is a secret becomes the mask; a name as well as a value can be one. */
function deeply(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value === 'number') return change(String(value)) === String(value) ? value : mask;
  if (Array.isArray(value)) {
    const items = value.map((item) => deeply(item, change));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const before = Object.entries(value);
  const after = before.map(([name, item]) => [change(name), deeply(item, change)] as const);
  const isSame = after.every(([name, item], at) => name === before[at]?.[0] && item === before[at][1]);
  return isSame ? value : Object.fromEntries(after);
}
