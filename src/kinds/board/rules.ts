import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { fingerprint } from '../../io/files.ts';
import { deskAt, type Desk } from './desk.ts';

const files = ['config/acceptance-policy.json', 'state/acceptance-policy.json', 'docs/protocol-config.json'];

/** The rules of a board that is open for long: looks whether their files have changed, and then the new ones hold. */
export function liveRules({ where }: Desk, fallback?: string): Live<Pick<Desk, 'policy' | 'protocol'>> {
  const under = fallback === undefined ? [] : files.map((name) => path.resolve(fallback, name));
  const all = [...under, ...files.map((name) => path.join(where.root, name))];
  return new Live(all, () => deskAt(where, fallback));
}

/** What is made of files, and made anew when one of them is another. */
export class Live<T> {
  /** A file that is wrong, half saved say: what was there before goes on to hold. Told once for each time. */
  onWrong: (message: string) => void = () => undefined;
  readonly #files: readonly string[];
  readonly #read: () => T;
  #seen: string;
  #value: T;

  constructor(files: readonly string[], read: () => T) {
    this.#files = files;
    this.#read = read;
    this.#seen = this.#looks();
    this.#value = read();
  }

  get value(): T {
    const looks = this.#looks();
    if (looks === this.#seen) return this.#value;
    this.#seen = looks;
    try {
      this.#value = this.#read();
    } catch (error) {
      if (!(error instanceof DocketError)) throw error;
      this.onWrong(`${error.message}: what was there before goes on to hold (${error.fix})`);
    }
    return this.#value;
  }

  /** Before it is read: what changes meanwhile is read again. */
  #looks(): string {
    return this.#files.map((file) => versionOf(file)).join('\n');
  }
}

/** Of a file that cannot be looked at nothing is known: who reads it says why. */
function versionOf(file: string): string {
  try {
    return fingerprint(file) ?? '';
  } catch (error) {
    if (error instanceof DocketError) return error.message;
    throw error;
  }
}
