import fs from 'node:fs';
import { attempt } from '../io-error.ts';
import { createPlain } from '../plain-file.ts';
import type { AgentProcess } from './process.ts';

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
