import { fingerprint } from './files.ts';
import { FileWatch } from './watch.ts';

/** Not every file system tells: then the files are looked at so often. */
const lookEveryMs = 2000;

/** Whether files are others than they were when somebody last looked. */
export class FileChanges {
  readonly #files: readonly string[];
  #seen: (string | undefined)[] = [];

  constructor(files: readonly string[]) {
    this.#files = files;
    this.look();
  }

  look(): void {
    this.#seen = this.#files.map(versionOf);
  }

  /** Yields whenever one of them is another than at the last look, or than when it yielded last; until the signal. */
  async *changes(signal: AbortSignal): AsyncIterable<void> {
    const watches = this.#files.map((file) => new FileWatch(file, lookEveryMs));
    let seen = this.#seen;
    try {
      for (;;) {
        const now = this.#files.map(versionOf);
        if (signal.aborted) return;
        if (now.every((version, at) => version === seen[at])) await firstOf(watches, signal);
        else {
          seen = now;
          yield;
        }
      }
    } finally {
      for (const watch of watches) watch.close();
    }
  }
}

async function firstOf(watches: readonly FileWatch[], signal: AbortSignal): Promise<void> {
  const pause = new AbortController();
  const asked = AbortSignal.any([signal, pause.signal]);
  await Promise.race(watches.map((watch) => watch.changed(asked)));
  pause.abort();
}

/** Of a file that cannot be looked at nothing is known: whoever writes to it will say why. */
function versionOf(file: string): string | undefined {
  try {
    return fingerprint(file);
  } catch {
    return 'unknown';
  }
}
