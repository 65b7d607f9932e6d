import { SafeMatcher } from '../../io/match-safely.ts';
import { literally } from '../../render/known-secrets.ts';
import type { Pattern } from '../../render/pattern.ts';
import { mask, redact } from '../../render/redact.ts';

/** Takes secrets out of texts: the known ones, what the manifest's patterns find, and what looks like one. */
export class Redactor {
  readonly #known: readonly RegExp[];
  readonly #patterns: readonly (Pattern & { replacement: string })[];
  readonly #matcher = new SafeMatcher();

  constructor(secrets: readonly string[], patterns: readonly Pattern[]) {
    this.#known = literally(secrets);
    this.#patterns = patterns.map(({ source, flags }) => ({ source, flags, replacement: mask }));
  }

  /** From the most certain to the guess: none may take a part of what another would have taken whole. */
  async redact(text: string): Promise<string> {
    const hidden = this.#known.reduce((now, secret) => now.replaceAll(secret, mask), text);
    return redact(await this.#matcher.replaceAll(hidden, this.#patterns)).text;
  }

  /** One after the other: a pattern that does not end is waited for once. */
  async redactAll(texts: readonly string[]): Promise<string[]> {
    const redacted: string[] = [];
    for (const text of texts) redacted.push(await this.redact(text));
    return redacted;
  }

  close(): Promise<void> {
    return this.#matcher.close();
  }
}
