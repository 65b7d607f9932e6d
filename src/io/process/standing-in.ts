import fs from 'node:fs';
import path from 'node:path';
import { processTable } from './table.ts';

/** Whoever has this folder, or one in it, for a working directory. Nothing is told where there is no /proc. */
export function standingIn(folder: string): { pid: number; name: string }[] {
  if (process.platform !== 'linux' || !fs.existsSync(folder)) return [];
  const base = fs.realpathSync(folder);
  return processTable().flatMap(({ pid }) => {
    const cwd = linkOf(`/proc/${pid}/cwd`);
    if (cwd !== base && !cwd?.startsWith(base + path.sep)) return [];
    return { pid, name: textOf(`/proc/${pid}/comm`) };
  });
}

/** It has ended meanwhile, or is somebody else's: then it is not one that works for us. */
function linkOf(file: string): string | undefined {
  try {
    return fs.readlinkSync(file);
  } catch {
    return undefined;
  }
}

function textOf(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8').trim();
  } catch {
    return 'a process';
  }
}
