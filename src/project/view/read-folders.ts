import { DocketError } from '../../errors.ts';
import { areSettled, stampLength, stampsIn, stampText } from '../../io/stamp.ts';
import type { Project } from '../../settings/project.ts';
import { folderFiles, folderStamps, numbersOf, type FolderKind } from './folder-files.ts';
import type { FoldersCache, FoldersLook } from './folders.ts';
import { isAnyGone } from './gone.ts';
import { readFolder } from './read-folder.ts';
import type { Row } from './row.ts';
import { sightOfRows } from './sight.ts';
import type { ViewFinding } from './types.ts';

type Known = Omit<FoldersCache, 'sight' | 'folder'> & { rows: Readonly<Record<string, Row>> };

/** No file has these numbers: what was read with them is read again at the next look. */
const never = -2;

/** What is as it was is not read again. What cannot be read is a finding, and hides no other. */
export async function readFolders(
  kind: FolderKind,
  where: Project,
  { folder, names }: { folder: string; names: readonly string[] },
  known: Known | undefined,
): Promise<FoldersLook> {
  const before = known ? versionsIn(known) : new Map<string, Float64Array>();
  const rows: Record<string, Row> = Object.create(null) as Record<string, Row>;
  const findings: ViewFinding[] = [];
  const open: string[] = [];
  const stamps: number[] = [];
  for (const name of names) {
    const now = Date.now();
    // Before it is read: what changes meanwhile shows the next time.
    const seen = folderStamps(kind, where.root, [name], new Set([name]));
    const kept = known?.rows[name];
    const old = before.get(name);
    const isSame = old !== undefined && old.every((number, at) => number === seen[at]);
    const look =
      kept && isSame && !(await isAnyGone([kept])) ? { row: kept } : await readSafely(kind, where, name);
    if (look.row) rows[name] = look.row;
    findings.push(...(look.findings ?? []));
    const count = numbersOf(!(look.row && isOver(look.row) && seen[0] !== 0));
    if (count > stampLength) open.push(name);
    const isSure = look.row !== undefined && !look.findings && areSettled(seen.subarray(0, count), now);
    for (let at = 0; at < count; at += 1) stamps.push(isSure ? (seen[at] ?? 0) : never);
  }
  const sight = sightOfRows(Object.values(rows));
  const cache = {
    folder,
    names: names.join('\n'),
    stamps: stampText(Float64Array.from(stamps)),
    open,
    sight,
  };
  return { sight, findings, fresh: { cache, rows } };
}

function isOver({ status }: Row): boolean {
  return status === 'done' || status === 'canceled';
}

/** Of those that it has all numbers of. */
function versionsIn(known: Known): Map<string, Float64Array> {
  const all = stampsIn(known.stamps);
  const open = new Set(known.open);
  const found = new Map<string, Float64Array>();
  let at = 0;
  for (const name of known.names.split('\n')) {
    const end = at + numbersOf(open.has(name));
    if (end <= all.length) found.set(name, all.subarray(at, end));
    at = end;
  }
  return found;
}

type Look = { row?: Row; findings?: ViewFinding[] };

async function readSafely(kind: FolderKind, where: Project, name: string): Promise<Look> {
  try {
    return await readFolder(kind, where, name);
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    const path = folderFiles[kind].mirror('.', name).slice(2);
    return { findings: [{ layout: kind, path, message: error.message, fix: error.fix }] };
  }
}
