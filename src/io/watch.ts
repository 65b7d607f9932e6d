import fs from 'node:fs';
import path from 'node:path';

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
