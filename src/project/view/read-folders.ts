import { DocketError } from '../../errors.ts';
import { changedAt, fingerprint } from '../../io/files.ts';
import { areSettled, stampsIn, stampText } from '../../io/stamp.ts';
import { lazyTaskLayout } from '../../kinds/directory/format/log.ts';
import { placeOfTask } from '../../kinds/directory/place.ts';
import { readOne, type FoundOne } from '../../kinds/one-store.ts';
import { idFor, lazyPacketLayout } from '../../kinds/packet/format/name.ts';
import { placeOfPacket } from '../../kinds/packet/place.ts';
import type { Project } from '../../settings/project.ts';
import type { Task } from '../../task/schema.ts';
import {
  folderFiles,
  folderStamps,
  numbersOf,
  type FolderKind,
  type FoldersCache,
  type FoldersLook,
  type FolderTask,
} from './folders.ts';
import { goneIn } from './gone.ts';
import { inView } from './read-store.ts';
import { mostEnded, sightOfFolders } from './sight.ts';
import type { ViewFinding } from './types.ts';

/** No file has these numbers: what was read with them is read again at the next look. */
const never = -2;

interface Known {
  stamps: Float64Array;
  over: string;
  found?: FolderTask;
}

type Look = { found?: FolderTask; findings?: ViewFinding[] };

/** What is as it was is not read again. What cannot be read is a finding, and hides no other. */
export async function readFolders(
  kind: FolderKind,
  where: Project,
  { folder, names }: { folder: string; names: readonly string[] },
  cache: FoldersCache | undefined,
): Promise<FoldersLook> {
  const before = cache ? knownIn(cache) : new Map<string, Known>();
  const tasks: Record<string, FolderTask> = Object.create(null) as Record<string, FolderTask>;
  const findings: ViewFinding[] = [];
  const over: string[] = [];
  const stamps: number[] = [];
  for (const name of names) {
    const now = Date.now();
    // Before it is read: what changes meanwhile shows the next time.
    const seen = folderStamps(kind, where.root, [name], ['']);
    const known = before.get(name);
    const isKept = known !== undefined && (await isSame(known, seen));
    const look: Look = isKept
      ? { ...(known.found && { found: known.found }) }
      : await readSafely(kind, where, name);
    const end = isKept ? known.over : seen[0] === 0 ? '' : endOf(look.found?.task);
    if (look.found) tasks[name] = look.found;
    findings.push(...(look.findings ?? []));
    over.push(end);
    const count = numbersOf(end);
    const isSure =
      isKept || (look.found !== undefined && !look.findings && areSettled(seen.subarray(0, count), now));
    for (let at = 0; at < count; at += 1) stamps.push(isSure ? (seen[at] ?? 0) : never);
  }
  await keepLatest(kind, where, { names, over, tasks });
  const fresh: FoldersCache = {
    folder,
    names: names.join('\n'),
    over: over.join('\n'),
    stamps: stampText(Float64Array.from(stamps)),
    tasks,
  };
  return { sight: sightOfFolders(kind, names, over, tasks), findings, fresh };
}

async function isSame({ stamps, found }: Known, seen: Float64Array): Promise<boolean> {
  if (!stamps.every((number, at) => number === seen[at])) return false;
  return found === undefined || (await goneIn([found.task], 'running')).size === 0;
}

/** Of what is over only the latest are shown; the others are no more than a number. */
async function keepLatest(
  kind: FolderKind,
  where: Project,
  {
    names,
    over,
    tasks,
  }: { names: readonly string[]; over: readonly string[]; tasks: Record<string, FolderTask> },
): Promise<void> {
  const ended = names
    .map((name, index) => ({ name, end: over[index] ?? '' }))
    .filter(({ end }) => end !== '')
    .toSorted((a, b) => (a.end.slice(1) < b.end.slice(1) ? 1 : -1));
  for (const { name } of ended.slice(mostEnded)) delete tasks[name];
  for (const { name } of ended.slice(0, mostEnded)) {
    if (tasks[name]) continue;
    const { found } = await readSafely(kind, where, name);
    if (found) tasks[name] = found;
  }
}

/** '': it is not over, or was removed. */
function endOf(task: Task | undefined): string {
  if (task?.status !== 'done' && task?.status !== 'canceled') return '';
  return `${task.status === 'done' ? 'd' : 'c'}${task.finishedAt}`;
}

function knownIn(cache: FoldersCache): Map<string, Known> {
  const all = stampsIn(cache.stamps);
  const over = cache.over.split('\n');
  const found = new Map<string, Known>();
  let at = 0;
  cache.names.split('\n').forEach((name, index) => {
    const end = over[index] ?? '';
    const stamps = all.subarray(at, at + numbersOf(end));
    at += numbersOf(end);
    const task = cache.tasks[name];
    if (at <= all.length && (end !== '' || task))
      found.set(name, { stamps, over: end, ...(task && { found: task }) });
  });
  return found;
}

async function readSafely(kind: FolderKind, where: Project, name: string): Promise<Look> {
  try {
    return await readFolder(kind, where, name);
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    const path = folderFiles[kind].mirror('.', name).slice(2);
    return { findings: [{ layout: kind, path, message: error.message, fix: error.fix }] };
  }
}

/** One task in a folder of its own. The layout is loaded only if somebody has edited its file. */
async function readFolder(kind: FolderKind, where: Project, name: string): Promise<Look> {
  const { task, findings, fromFile } = await readIn(kind, where, name);
  const told = findings.map((finding) => inView(kind, where.root, finding));
  const at = fromFile ? madeAt(kind, where.root, name) : undefined;
  return {
    ...(task.removedAt === undefined && { found: { task, ...(at !== undefined && { at }) } }),
    ...(told.length > 0 && { findings: told }),
  };
}

/** What no docket has taken in yet is as old as its file: the journal that would say more is not there. */
function madeAt(kind: FolderKind, root: string, name: string): number | undefined {
  const { journal, mirror } = folderFiles[kind];
  return fingerprint(journal(root, name)) === undefined ? changedAt(mirror(root, name)) : undefined;
}

async function readIn(kind: FolderKind, where: Project, name: string): Promise<FoundOne> {
  if (kind === 'packet') {
    const id = idFor(name);
    return readOne(where, placeOfPacket(where.root, name), lazyPacketLayout, id, { only: id, removed: true });
  }
  const place = placeOfTask(where.root, name);
  const found = await readOne(where, place, lazyTaskLayout, name, { only: name, removed: true });
  if (!found.fromFile) return found;
  const { withForeign } = await import('../../kinds/directory/adopt-foreign.ts');
  return { ...found, task: withForeign(found.task, place.dir) };
}
