import fs from 'node:fs';

/**
 * Which version of a file it is, as four numbers in an array of many: inode, size, and when content and inode last
 * changed. The last one cannot be set by hand. All of them 0: there is no such file.
 */
export const stampLength = 4;

const unreadable = -1;
const quietly = { throwIfNoEntry: false } as const;

/** Kernels count time in ticks of some milliseconds, and some file systems in seconds, or in two of them. */
const tickMs = 100;
const coarseTickMs = 2_500;

export function stampInto(stamps: Float64Array, at: number, file: string): void {
  let stat: fs.Stats | undefined;
  try {
    stat = fs.statSync(file, quietly);
  } catch {
    stamps[at] = unreadable; // whoever reads it says why
    return;
  }
  if (!stat) return;
  stamps[at] = stat.ino;
  stamps[at + 1] = stat.size;
  stamps[at + 2] = stat.mtimeMs;
  stamps[at + 3] = stat.ctimeMs;
}

/** Of a few files. */
export function stampsOf(files: readonly string[]): Float64Array {
  const stamps = new Float64Array(files.length * stampLength);
  files.forEach((file, index) => stampInto(stamps, index * stampLength, file));
  return stamps;
}

/**
 * Two changes within one tick look like one. So what changed as late as that before it was looked at (`now`) has to be
 * looked at again: its stamp proves nothing. The same holds for what cannot be looked at, and for a clock that was set back.
 */
function isSettled(stamps: Float64Array, at: number, now: number): boolean {
  const [ino, mtime = 0, ctime = 0] = [stamps[at], stamps[at + 2], stamps[at + 3]];
  if (ino === unreadable) return false;
  if (ino === 0) return true;
  const tick = mtime % 1000 === 0 && ctime % 1000 === 0 ? coarseTickMs : tickMs;
  return ctime + tick < now;
}

export function isMissing(stamps: Float64Array, at: number): boolean {
  return stamps[at] === 0;
}

export function areSettled(stamps: Float64Array, now: number): boolean {
  for (let at = 0; at < stamps.length; at += stampLength) if (!isSettled(stamps, at, now)) return false;
  return true;
}

export function stampText(stamps: Float64Array): string {
  return Buffer.from(stamps.buffer, stamps.byteOffset, stamps.byteLength).toString('base64');
}

/** The reverse; what is no such text has other numbers. */
export function stampsIn(text: string): Float64Array {
  const bytes = Buffer.from(text, 'base64');
  const length = Math.floor(bytes.length / 8);
  return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + length * 8));
}
