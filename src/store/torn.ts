import { isSealed, maxLineBytes } from './line.ts';

/**
 * Is this what a crash in the middle of a write leaves? Zero bytes stand where blocks never reached the disk.
 * A complete line with other damage was changed by somebody, and is an error instead.
 */
export function isTornTail(line: Buffer): boolean {
  return line.includes(0);
}

/**
 * Damage with good lines behind it is not a tail. Looks at the rest of the file piece by piece: the damage may be
 * larger than our memory. The first line is the damaged one itself.
 */
export function hasValidLineAfter(
  offset: number,
  isLine: (chunk: Buffer, start: number, end: number) => boolean,
  read: (into: Buffer, position: number) => number,
): boolean {
  const chunk = Buffer.allocUnsafe(2 * maxLineBytes);
  for (let at = offset; ;) {
    const length = read(chunk, at);
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0 && end < length; end = chunk.indexOf(10, start)) {
      if (isValid(isLine, chunk, start, end)) return true;
      start = end + 1;
    }
    if (length < chunk.length) return false;
    at += start || length; // no line of ours is as long as the piece: this is still the damage
  }
}

function isValid(
  isLine: (chunk: Buffer, start: number, end: number) => boolean,
  chunk: Buffer,
  start: number,
  end: number,
): boolean {
  try {
    return isLine(chunk, start, end);
  } catch {
    return false;
  }
}

/**
 * A blank line, a comment or the like: it was never an event of ours, which would end with a checksum. Had it been one,
 * the next line of ours would say that it is missing. One with zero bytes may be the rest of a write.
 */
export function isStray(buffer: Buffer, start: number, end: number): boolean {
  if (end - start > maxLineBytes || isSealed(buffer, start, end)) return false;
  const line = buffer.subarray(start, end);
  return !line.includes(0) && !line.includes('"docket":');
}
