import path from 'node:path';
import { removeFile, sizeAndInode } from '../../io/files.ts';
import { ownIdentity } from '../../io/identity.ts';
import { openMutex, type LockKind, type Mutex } from '../../io/lock.ts';
import type { Task } from '../../task/schema.ts';
import { isGone } from '../gone.ts';

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

  /** `owner`: who is written into the file, for people who look. */
  take(id: string, owner?: string): boolean {
    const mutex = openMutex(this.#file(id), this.#kind);
    let taken = false;
    try {
      if (!mutex.tryLock()) return false;
      if (owner !== undefined) mutex.sign(signature(id, owner));
      this.#held.set(id, mutex);
      taken = true;
    } finally {
      if (!taken) mutex.close();
    }
    return true;
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
    if (this.#held.has(task.id)) return false;
    const isLocked = task.lease.kind === 'process' && sizeAndInode(this.#file(task.id)) !== undefined;
    if (!isLocked) return isGone(task);
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

function signature(taskId: string, owner: string): string {
  const { host, pid } = ownIdentity();
  return `${JSON.stringify({ taskId, owner, pid, host, since: new Date().toISOString() })}\n`;
}
