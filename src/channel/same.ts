import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares secrets in a time that does not tell how much of them was right. */
export function isSame(ours: string, theirs: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(ours), hash(theirs));
}
