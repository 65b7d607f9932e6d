import path from 'node:path';
import type { Project } from '../../settings/project.ts';
import { sizeOfLog } from '../../store/upkeep/store-files.ts';
import { withBoard } from './desk.ts';
import { boardLayout } from './format/layout.ts';
import { archiveFolder, ownFolder } from './format/places.ts';

/** What became, or would become, of a log that is put away. */
export interface Compacted {
  before: LogSize;
  /** Absent in a dry run. */
  after?: LogSize;
  /** Project the old log is, whole. */
  archive: string;
  written: boolean;
}

interface LogSize {
  events: number;
  bytes: number;
}

/** Moves the log to the archive, whole, and begins a new one with every task as it is. */
export async function compactBoard(where: Project, { dryRun }: { dryRun: boolean }): Promise<Compacted> {
  const desk = { where, dir: path.join(where.root, ownFolder) };
  const { base, ...before } = sizeOf(desk);
  const archive = `${archiveFolder}/${String(base).padStart(12, '0')}.jsonl`;
  if (dryRun || before.events === 0) return { before, archive, written: false };
  await withBoard(desk, (store) => store.compact());
  const { base: from, ...after } = sizeOf(desk);
  return { before, after, archive, written: from !== base };
}

function sizeOf({ where: { root }, dir }: { where: Project; dir: string }): LogSize & { base: number } {
  return sizeOfLog({ root, dir, layout: boardLayout });
}
