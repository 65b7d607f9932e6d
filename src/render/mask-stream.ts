import { escaped, spellingsOf } from './known-secrets.ts';
import type { Masker } from './masker.ts';
import { mayHoldSecret } from './redact.ts';

const newline = 10;
/** No line waits for its end in more memory than this. */
const longestWait = 1024 * 1024;
/** No token is longer. */
const longestToken = 8192;
const longestKey = 32_768;
const keyBegins = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----(?![^]*-----END )/;

/**
 * Masks bytes that come in pieces, in their order: whole lines as soon as they are there, so that no border of the pieces
 * goes through a secret. Bytes without a secret stay the same bytes.
 */
export class MaskStream {
  readonly #masker: Masker;
  readonly #hint: RegExp;
  readonly #needles: readonly string[];
  /** Something was masked. */
  changed = false;
  #held: Buffer = Buffer.alloc(0);
  /** The beginning of the held line is written already: it is no whole line of JSON any more. */
  #isTail = false;

  constructor(masker: Masker) {
    this.#masker = masker;
    // As bytes are searched: UTF-8, one letter for each of them.
    this.#needles = spellingsOf(masker.secrets).map((text) => Buffer.from(text).toString('latin1'));
    const isEscapable = masker.secrets.some((secret) => /[^\x20-\x7E]|[<>&'"\\]/.test(secret));
    const parts = [...this.#needles.map(escaped), ...(isEscapable ? [String.raw`\\u`] : [])];
    this.#hint = parts.length === 0 ? /$^/ : new RegExp(parts.join('|'));
  }

  /** What can be written now. */
  push(piece: Buffer): Buffer {
    const all = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece]);
    let cut = all.lastIndexOf(newline) + 1;
    if (all.length - cut > longestWait) cut = all.length - this.#unsure(all.subarray(cut));
    return this.#release(all, cut, false);
  }

  /** A line has been waiting for its end: all but what could be the beginning of a secret. */
  idle(): Buffer {
    return this.#release(this.#held, this.#held.length - this.#unsure(this.#held), false);
  }

  end(): Buffer {
    return this.#release(this.#held, this.#held.length, true);
  }

  #release(all: Buffer, cut: number, isLast: boolean): Buffer {
    let to = cut;
    const bytes = all.subarray(0, to).toString('latin1');
    let out = all.subarray(0, to);
    if (this.#hint.test(bytes) || mayHoldSecret(bytes)) {
      const begun = isLast ? -1 : bytes.search(keyBegins);
      if (begun >= 0 && all.length - begun < longestKey) to = begun;
      const text = all.toString('utf8', 0, to);
      const masked = this.#isTail ? this.#tail(text) : this.#masker.lines(text);
      out = masked === text ? all.subarray(0, to) : Buffer.from(masked);
      this.changed ||= masked !== text;
    }
    if (to > 0) this.#isTail = all[to - 1] !== newline;
    this.#held = all.subarray(to);
    return out;
  }

  #tail(text: string): string {
    const at = text.indexOf('\n') + 1;
    return at === 0
      ? this.#masker.text(text)
      : this.#masker.text(text.slice(0, at)) + this.#masker.lines(text.slice(at));
  }

  /** How many of the last bytes may belong to a secret whose rest is still to come. */
  #unsure(line: Buffer): number {
    const end = line.toString('latin1', Math.max(0, line.length - longestKey));
    let most = tokenAtEnd(end);
    for (const needle of this.#needles)
      for (let n = Math.min(needle.length - 1, end.length); n > most; n -= 1)
        if (end.endsWith(needle.slice(0, n))) {
          most = n;
          break;
        }
    return this.#uncut(end, most);
  }

  /** More of them, where a secret that is there whole would otherwise be cut in two. */
  #uncut(end: string, unsure: number): number {
    const cut = end.length - unsure;
    const begins = this.#needles.flatMap((needle) => {
      const at = end.indexOf(needle, Math.max(0, cut - needle.length + 1));
      return at >= 0 && at < cut ? [at] : [];
    });
    return begins.length === 0 ? unsure : this.#uncut(end, end.length - Math.min(...begins));
  }
}

const ofToken = /[\w.~+/=%:@-]/;

/** The length of the word at the end that may be one; dots alone are somebody's progress. */
function tokenAtEnd(text: string): number {
  let length = 0;
  while (length < Math.min(text.length, longestToken) && ofToken.test(text.charAt(text.length - length - 1)))
    length += 1;
  return /[A-Za-z0-9]/.test(text.slice(text.length - length)) ? length : 0;
}
