import fs from 'node:fs';
import path from 'node:path';
import { fingerprint } from './files.ts';

/**
 * Resolves when the file may have changed: told by the kernel, or after `pollMs` at the latest, because not
 * every file system tells. It watches the folder, since the file may not exist yet or be replaced.
 */
export class FileWatch {
  readonly #watcher: fs.FSWatcher | undefined;
  readonly #pollMs: number;
  #wake: (() => void) | undefined;
  #changed = false;

  constructor(file: string, pollMs = 1000) {
    this.#pollMs = pollMs;
    try {
      const name = path.basename(file);
      this.#watcher = fs.watch(path.dirname(file), { persistent: false }, (_, changed) => {
        if (changed === null || changed === name) this.#notify();
      });
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      this.#watcher = undefined; // No folder yet, or no watches left: polling alone.
    }
  }

  async changed(signal: AbortSignal, atMostMs = this.#pollMs): Promise<void> {
    if (!this.#changed && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const finish = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', finish);
          this.#wake = undefined;
          resolve();
        };
        const timer = setTimeout(finish, Math.min(atMostMs, this.#pollMs));
        signal.addEventListener('abort', finish, { once: true });
        this.#wake = finish;
      });
    }
    this.#changed = false;
  }

  close(): void {
    this.#watcher?.close();
  }

  #notify(): void {
    this.#changed = true;
    this.#wake?.();
  }
}

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
