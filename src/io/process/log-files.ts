import fs from 'node:fs';
import { attempt } from '../io-error.ts';
import { createPlain, openPlain, sizeOf } from '../plain-file.ts';
import type { AgentProcess } from './process.ts';

/** A file's text, of a long one the beginning and the end. */
export function readEnds(file: string, maxBytes: number): string {
  const fd = openPlain(file);
  try {
    return attempt('read', file, () => {
      const { size } = fs.fstatSync(fd);
      if (size <= maxBytes) return piece(fd, 0, size);
      const half = Math.floor(maxBytes / 2);
      // A cut may go through a character.
      const head = piece(fd, 0, half).replace(/\uFFFD+$/, '');
      const tail = piece(fd, size - half, half).replace(/^\uFFFD+/, '');
      return `${head}\n... [${size - 2 * half} bytes left out] ...\n${tail}`;
    });
  } finally {
    fs.closeSync(fd);
  }
}

function piece(fd: number, start: number, length: number): string {
  const bytes = Buffer.alloc(length);
  return bytes.toString('utf8', 0, fs.readSync(fd, bytes, 0, length, start));
}

/** Text of a file that an agent wrote: a plain file, of a size that can be taken in. Undefined: there is none. */
export function readPlainText(
  file: string,
  maxBytes: number,
): { text: string } | { bytes: number } | undefined {
  if (fs.lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  const fd = openPlain(file);
  try {
    return attempt('read', file, () => {
      const { size } = fs.fstatSync(fd);
      return size > maxBytes
        ? { bytes: size }
        : { text: fs.readFileSync(fd).subarray(0, maxBytes).toString('utf8') };
    });
  } finally {
    fs.closeSync(fd);
  }
}

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
