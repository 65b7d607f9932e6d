import fs from 'node:fs';
import { attempt } from '../io-error.ts';
import { createPlain, readPlain, sizeOf, textAt } from '../plain-file.ts';
import type { AgentProcess } from './process.ts';

/** A file's text, of a long one the beginning and the end. */
export function readEnds(file: string, maxBytes: number): string {
  return readPlain(file, (fd) => {
    const { size } = fs.fstatSync(fd);
    if (size <= maxBytes) return textAt(fd, 0, size);
    const half = Math.floor(maxBytes / 2);
    const head = textAt(fd, 0, half).replace(/\uFFFD+$/, '');
    const tail = textAt(fd, size - half, half).replace(/^\uFFFD+/, '');
    return `${head}\n... [${size - 2 * half} bytes left out] ...\n${tail}`;
  });
}

/** Text of a file that an agent wrote: a plain file, of a size that can be taken in. Undefined: there is none. */
export function readPlainText(
  file: string,
  maxBytes: number,
): { text: string } | { bytes: number } | undefined {
  if (fs.lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  return readPlain(file, (fd) => {
    const { size } = fs.fstatSync(fd);
    return size > maxBytes
      ? { bytes: size }
      : { text: fs.readFileSync(fd).subarray(0, maxBytes).toString('utf8') };
  });
}

/** The end of a file's text. It may begin in the middle of a character. */
export function readEnd(file: string, maxBytes: number): string {
  if (sizeOf(file) === 0 && !fs.existsSync(file)) return '';
  return readPlain(file, (fd) => {
    const { size } = fs.fstatSync(fd);
    const length = Math.min(size, maxBytes);
    return textAt(fd, size - length, length).replace(/^\uFFFD+/, '');
  });
}

/** The last whole lines of a file of ours, as many as fit; the very last may be under way. Empty where there is none. */
export function lastLines(file: string, maxBytes: number): string[] {
  if (sizeOf(file) === 0) return [];
  return readPlain(file, (fd) => {
    const { size } = fs.fstatSync(fd);
    const start = Math.max(0, size - maxBytes);
    const lines = textAt(fd, start, size - start).split('\n');
    return start === 0 ? lines : lines.slice(1);
  });
}

/** Keeps what a process is sent, beside what it says: together they are the whole conversation. */
export function recordSent(process: AgentProcess, file: string): Pick<AgentProcess, 'lines' | 'send'> {
  let fd: number | undefined = createPlain(file);
  const close = (): void => {
    if (fd !== undefined) fs.closeSync(fd);
    fd = undefined;
  };
  process.exited.then(close, close);
  return {
    lines: () => process.lines(),
    send(text) {
      const open = fd;
      if (open !== undefined) attempt('write', file, () => fs.writeSync(open, text));
      return process.send(text);
    },
  };
}
