import path from 'node:path';
import { removeFile, sizeAndInode } from '../io/files.ts';
import { liveness } from '../io/identity.ts';
import { openMutex, type LockKind, type Mutex } from '../io/lock.ts';
import type { Task } from '../task/schema.ts';

/**
 * A running task's worker holds a lock of its own for the whole run: its death is seen at once, and a sleeping
 * laptop expires nothing. All of this happens under the store's lock, so the files can be removed safely.
 */
export class RunLocks {
  readonly #dir: string;
  readonly #kind: LockKind;
  readonly #held = new Map<string, Mutex>();

  constructor(dir: string, kind: LockKind) {
    this.#dir = dir;
    this.#kind = kind;
  }

  take(id: string): boolean {
    const mutex = openMutex(this.#file(id), this.#kind);
    if (mutex.tryLock()) {
      this.#held.set(id, mutex);
      return true;
    }
    mutex.close();
    return false;
  }

  release(id: string): void {
    const mutex = this.#held.get(id);
    if (!mutex) return;
    this.#held.delete(id);
    removeFile(mutex.path);
    mutex.unlock();
    mutex.close();
  }

  /** Is the process that runs this task gone? */
  isDead(task: Task): boolean {
    if (task.status !== 'running' && task.status !== 'review') return false;
    if (task.lease.kind !== 'process' || this.#held.has(task.id)) return false;
    if (sizeAndInode(this.#file(task.id)) === undefined) return liveness(task.lease) === 'dead';
    if (!this.take(task.id)) return false;
    this.release(task.id);
    return true;
  }

  releaseAll(): void {
    for (const id of this.#held.keys()) this.release(id);
  }

  /** Without the store's lock: the files stay, for somebody to find them free. */
  dropAll(): void {
    for (const mutex of this.#held.values()) mutex.close();
    this.#held.clear();
  }

  #file(id: string): string {
    return path.join(this.#dir, `${id}.lock`);
  }
}
