import { decodeLine } from './line.ts';

/**
 * Is this what a crash in the middle of a write leaves? Zero bytes stand where blocks never reached the disk.
 * A complete line with other damage was changed by somebody, and is an error instead.
 */
export function isTornTail(line: Buffer): boolean {
  return line.includes(0);
}

/** Damage with good lines behind it is not a tail. The first piece is the damaged line itself. */
export function hasValidLineAfter(rest: Buffer): boolean {
  let start = rest.indexOf(10) + 1;
  while (start > 0) {
    const end = rest.indexOf(10, start);
    if (end < 0) return false;
    if (safely(() => decodeLine(rest, start, end)) !== undefined) return true;
    start = end + 1;
  }
  return false;
}

function safely<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
