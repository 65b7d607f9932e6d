import path from 'node:path';
import { sleep } from '../clock.ts';
import { createFile, readBytes } from '../files.ts';
import { AttemptProcess } from './attempt-process.ts';
import { type Family, findMarked, isSupervisor, membersOf } from './family.ts';
import { checkMark } from './mark.ts';
import type { Output } from './output.ts';
import type { AgentProcess, Limits } from './process.ts';
import { places, recordedCode, recordedPid } from './supervisor.ts';
import { processRow, processTable, type Row } from './table.ts';
import { isTempFolderOf } from './temp-folder.ts';

/**
 * The process that an earlier docket started in this folder: followed while it runs, read when it has ended.
 * Undefined: none ever began there.
 */
export function adoptProcess({
  dir,
  mark,
  ...limits
}: { dir: string; mark: string } & Limits): AgentProcess | undefined {
  checkMark(mark);
  const folder = path.resolve(dir);
  const group = recordedPid(folder);
  const family: Family = { mark, watched: false, since: 0, ...(group !== undefined && { group }) };
  const members = membersOf(family, processTable());
  if (group === undefined && recordedCode(folder) === undefined && members.length === 0) return undefined;
  const supervisor = members.find((row) =>
    group === undefined ? row.pid === row.group && isSupervisor(row.pid) : row.pid === group,
  );
  const tempFolder = recordedTempFolder(folder, mark);
  return new AttemptProcess({
    adopted: true,
    dir: folder,
    family: supervisor ? { ...family, group: supervisor.pid, since: supervisor.began } : family,
    supervisor: (output) => endOf(supervisor, output),
    ...(tempFolder !== undefined && { tempFolder }),
    limits,
  });
}

/**
 * Whether a process ever began in this folder. If none did, none will: a supervisor that is still on its way from a
 * docket that died finds the place of its record taken, and leaves.
 */
export function hasBegun({ dir, mark }: { dir: string; mark: string }): boolean {
  const folder = path.resolve(dir);
  const isThere = (): boolean =>
    recordedPid(folder) !== undefined ||
    recordedCode(folder) !== undefined ||
    findMarked(checkMark(mark)).length > 0;
  return isThere() || (!createFile(places(folder).pid, 'none\n') && isThere());
}

const pollMs = 200;

/** Its record shows in the folder a moment before it ends: look at once then, otherwise now and then. */
async function endOf(supervisor: Row | undefined, output: Output): Promise<undefined> {
  if (supervisor === undefined) return;
  const { pid, began } = supervisor;
  while (processRow(pid)?.began === began) {
    const told = new AbortController();
    await Promise.race([
      output.more(),
      sleep(pollMs, undefined, { signal: told.signal }).catch(() => undefined),
    ]);
    told.abort();
    await sleep(2);
  }
}

function recordedTempFolder(dir: string, mark: string): string | undefined {
  try {
    const start = JSON.parse(readBytes(places(dir).start)?.toString('utf8') ?? '{}') as {
      tempFolder?: unknown;
    };
    return isTempFolderOf(mark, start.tempFolder) ? start.tempFolder : undefined;
  } catch {
    return undefined; // A power loss, or the agent, spoiled it. The folder is the system's to clear away.
  }
}
