import { createHash } from 'node:crypto';

/** Keys may be anything; this is the same for the same key and fits into a file name, a header or a vendor's field. */
export function shortKey(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 40);
}
