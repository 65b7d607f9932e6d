import fs from 'node:fs';
import { attempt } from '../io-error.ts';
import { openPlain, sizeOf } from '../plain-file.ts';

/** The last whole lines of a file of ours, as many as fit; the very last may be under way. Empty where there is none. */
export function lastLines(file: string, maxBytes: number): string[] {
  if (sizeOf(file) === 0) return [];
  const fd = openPlain(file);
  try {
    const { size } = fs.fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, maxBytes));
    const start = size - bytes.length;
    const length = attempt('read', file, () => fs.readSync(fd, bytes, 0, bytes.length, start));
    const lines = bytes.toString('utf8', 0, length).split('\n');
    return start === 0 ? lines : lines.slice(1);
  } finally {
    fs.closeSync(fd);
  }
}
