import path from 'node:path';
import { readBytes, removeQuietly, replaceFile } from '../../io/files.ts';
import { isRunning } from '../../io/pid-lock.ts';

/** Who slept for longer than this inside a lock is not coming back. */
const longestMs = 24 * 3600_000;
/** Who was in the middle of a save has ended it by then. */
export const longestSaveMs = 10_000;

interface Overtaken {
  pid: number | undefined;
  at: number;
  /** What the file said before we wrote it: the other's next write is made from it. */
  text: string;
  /** How long that write is waited for. */
  withinMs?: number;
}

function fileIn(dir: string): string {
  return path.join(dir, 'overtaken.json');
}

/**
 * Another tool held the lock for too long and may only be asleep, or somebody was in the middle of a save when we wrote.
 * What they write then is made from what they read before: there, an older value of ours is nobody's edit, and a missing
 * entry was not taken out.
 */
export function noteOvertaken(dir: string, note: Overtaken): void {
  replaceFile(fileIn(dir), JSON.stringify(note), { own: true });
}

export function overtakenText(dir: string, now = Date.now()): string | undefined {
  const text = readBytes(fileIn(dir))?.toString('utf8');
  if (text === undefined) return undefined;
  try {
    const { pid, at, text: was, withinMs = longestMs } = JSON.parse(text) as Overtaken;
    const near = now - at < withinMs && (pid === undefined || isRunning(pid));
    return near ? was : undefined;
  } catch {
    return undefined; // torn by a power loss, which has also ended whoever slept
  }
}

export function forgetOvertaken(dir: string): void {
  removeQuietly(fileIn(dir));
}
