import path from 'node:path';
import { removeFile, sizeAndInode } from '../../io/files.ts';
import { ownIdentity } from '../../io/identity.ts';
import { type LockKind, type Mutex, openMutex } from '../../io/lock.ts';
import type { Command } from '../../task/command.ts';
import type { Event, NewEvent, Task } from '../../task/schema.ts';
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

  /** Does this process hold one? */
  get isHeld(): boolean {
    return this.#held.size > 0;
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

/** A line about a run that the process which holds the run did not write. */
export interface Forged {
  id: string;
  type: NewEvent['type'];
  seq: number;
}

/**
 * Checks the journal against what this process wrote. While it holds a claim, nobody else writes how that run goes, or
 * that its task is done: a line that says so was put there by something that does not go through docket.
 */
export class RunGuard {
  /** The token of each claim. */
  readonly #held = new Map<string, number>();
  /** What we wrote about them: after a fault the journal is read again, and our own lines are among the others. */
  readonly #written = new Map<string, Set<string>>();
  readonly #forged = new Map<string, Forged>();

  hold(id: string, token: number): void {
    this.#held.set(id, token);
  }

  drop(id: string): void {
    this.#held.delete(id);
    this.#written.delete(id);
    this.#forged.delete(id);
  }

  wrote(event: Event): void {
    if (!this.#held.has(event.taskId) || !isHoldersOwn(event)) return;
    const written = this.#written.get(event.taskId) ?? new Set();
    this.#written.set(event.taskId, written.add(contentOf(event)));
  }

  /** An event that was read from the journal. `again`: all of it is read, our own lines too. */
  read(event: Event, again: boolean): void {
    if (this.#held.size === 0) return;
    const token = this.#held.get(event.taskId);
    if (token === undefined || event.seq <= token || !isHoldersOwn(event)) return;
    if (again && this.#written.get(event.taskId)?.has(contentOf(event))) return;
    const { taskId: id, type, seq } = event;
    if (!this.#forged.has(id)) this.#forged.set(id, { id, type, seq });
  }

  get hasForged(): boolean {
    return this.#forged.size > 0;
  }

  /** Each of them once. */
  takeForged(): Forged[] {
    const forged = [...this.#forged.values()];
    this.#forged.clear();
    return forged;
  }
}

/** Other processes may cancel, edit or answer (a rejected step fails); how the run goes is the holder's to write. */
function isHoldersOwn(event: Event): boolean {
  switch (event.type) {
    case 'task.done':
    case 'attempt.started':
    case 'attempt.session':
    case 'attempt.ended':
    case 'run.started':
    case 'run.joined':
    case 'step.reopened':
    case 'gate.opened':
      return true;
    case 'step.ended':
      return event.data.state !== 'canceled' && event.data.state !== 'failed';
    default:
      return false;
  }
}

/** The same before it is written and after it was read, whatever its line looks like and whichever number it got. */
function contentOf({ type, at, data }: Event): string {
  return JSON.stringify([type, at, data], (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** The run stops, and a person looks at what happened. Empty: the task is over in another way already. */
export function stopForged(task: Task | undefined, { id, type, seq }: Forged, journal: string): Command[] {
  if (task?.status !== 'done' && task?.status !== 'running') return [];
  const text = `event ${seq} in ${journal} (${type}) was not written by the docket process that runs this task: the journal was edited while the agent was running. Nothing was proved. Check what the agent did before you let the task continue`;
  const block: Command = {
    type: 'block',
    id,
    by: 'docket',
    reason: { kind: 'verify', text, who: 'a person' },
  };
  if (task.status === 'running') return [block];
  return [{ type: 'reopen', id, by: 'docket', reason: 'docket did not prove that it is done' }, block];
}
