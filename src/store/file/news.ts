import { fingerprint } from '../../io/files.ts';
import { FileWatch } from '../../io/watch.ts';

/** Not every file system tells: then the files are looked at so often. */
const lookEveryMs = 2000;

/** Whether files are others than they were when somebody last looked. */
export class News {
  readonly #files: readonly string[];
  #seen: (string | undefined)[] = [];

  constructor(files: readonly string[]) {
    this.#files = files;
    this.look();
  }

  look(): void {
    this.#seen = this.#files.map(versionOf);
  }

  /** Resolves when one of them is another, when the signal says so, or when the time is over. */
  async since(signal: AbortSignal, within: number): Promise<void> {
    const enough = AbortSignal.any([signal, AbortSignal.timeout(within)]);
    const watches = this.#files.map((file) => new FileWatch(file, lookEveryMs));
    const pause = new AbortController();
    const asked = AbortSignal.any([enough, pause.signal]);
    try {
      while (!enough.aborted && this.#files.every((file, at) => versionOf(file) === this.#seen[at]))
        await Promise.race(watches.map((watch) => watch.changed(asked)));
    } finally {
      pause.abort();
      for (const watch of watches) watch.close();
    }
  }
}

/** Of a file that cannot be looked at nothing is known: whoever writes to it will say why. */
function versionOf(file: string): string | undefined {
  try {
    return fingerprint(file);
  } catch {
    return 'unknown';
  }
}
