import path from 'node:path';
import { supervisedFolder } from './command-line.ts';
import { processTable } from './table.ts';

/** The attempts' folders below this one in which a supervisor is at work now. Nothing is told where there is no /proc. */
export function workingBelow(folder: string): string[] {
  const base = path.resolve(folder) + path.sep;
  return processTable().flatMap((row) => {
    const dir = row.pid === row.group ? supervisedFolder(row.pid) : undefined;
    return dir?.startsWith(base) && row.isOurs() ? [dir] : [];
  });
}
