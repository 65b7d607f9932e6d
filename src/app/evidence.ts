import path from 'node:path';
import { readBook, readOutput } from '../engine/evidence-book.ts';
import { DocketError } from '../errors.ts';
import { idOf, sha256, type Evidence } from '../gate/evidence.ts';
import { changedProofIn } from '../gate/seen.ts';
import { systemClock } from '../io/clock.ts';
import { isDirectory } from '../io/find-up.ts';
import { proofFolder as inTask, tasksFolder } from '../kinds/directory/place.ts';
import { idFor } from '../kinds/packet/format/name.ts';
import { archiveFolder, packetsFolder, proofFolder as inPacket } from '../kinds/packet/place.ts';
import { readStore } from '../store/file/reader.ts';
import { isTaskId } from '../task/id.ts';
import type { Task } from '../task/schema.ts';
import { boardStore } from './explain/stores.ts';
import { taskNamed } from './ids.ts';

/** What docket saw of one task's work. */
interface TaskEvidence {
  layout: EvidenceLayout;
  id: string;
  /** Where it is kept, from the root. */
  folder: string;
  entries: ShownEvidence[];
}

/** `wrong`: why it is not to be believed. */
export type ShownEvidence = Evidence & { wrong?: string };

type EvidenceLayout = 'queue' | 'task' | 'packet' | 'board';

interface Where {
  root: string;
  /** The tasks of the queue. */
  read: () => Promise<readonly Task[]>;
}

interface Found extends Omit<TaskEvidence, 'entries'> {
  taskId: string;
}

/** `of`: where more than one thing has that name. `entry`: one of them, to be opened. */
export interface EvidenceQuery {
  of?: string | undefined;
  entry?: string | undefined;
}

export interface ReadEvidence {
  found: TaskEvidence;
  /** With what its command printed, exactly. */
  opened?: { entry: ShownEvidence; output: string };
}

/** Reads only. */
export async function readEvidenceOf(where: Where, ref: string, query: EvidenceQuery): Promise<ReadEvidence> {
  const found = await evidenceOf(where, ref, query.of);
  if (query.entry === undefined) return { found };
  const entry = entryNamed(found, query.entry);
  return { found, opened: { entry, output: outputOf(where.root, found, entry) } };
}

async function evidenceOf(where: Where, ref: string, of: string | undefined): Promise<TaskEvidence> {
  const all = (await placesOf(where, ref)).filter(({ layout }) => of === undefined || layout === of);
  const read = all.map(({ taskId, ...place }) => ({
    ...place,
    entries: shown(where.root, place.folder, taskId),
  }));
  const full = read.filter(({ entries }) => entries.length > 0);
  const [first, ...others] = full.length > 0 ? full : read.slice(0, 1);
  if (!first)
    throw new DocketError('NOT_FOUND', `there is no task "${ref}"`, 'docket list shows ids and names', {
      ref,
    });
  if (others.length === 0) return first;
  const layouts = full.map(({ layout }) => layout);
  const fix = `say which: --of ${layouts.join(' or --of ')}`;
  throw new DocketError('INVALID', `"${ref}" is the name of more than one thing`, fix, { ref, layouts });
}

/** What a command printed, exactly; an error if the file is another now. */
function outputOf(root: string, { folder }: TaskEvidence, entry: ShownEvidence): string {
  const text = entry.output && readOutput(path.join(root, folder), entry.output.file);
  if (entry.output === undefined) return '';
  if (text !== undefined && sha256(text) === entry.output.sha256) return text;
  const file = path.join(folder, entry.output.file);
  const what = text === undefined ? 'is gone' : 'is not what docket wrote there';
  throw new DocketError(
    'REFUSED',
    `the output of ${entry.id} ${what}: ${file}`,
    'it proves nothing any more',
    {
      id: entry.id,
      path: file,
    },
  );
}

/** By its id, or by how one id alone begins. */
function entryNamed({ entries, id }: TaskEvidence, ref: string): ShownEvidence {
  const wanted = ref.startsWith('ev-') ? ref : `ev-${ref}`;
  const meant = entries.filter((entry) => entry.id === wanted || entry.id.startsWith(wanted));
  const ids = [...new Set(meant.map((entry) => entry.id))];
  if (meant[0] && ids.length === 1) return meant[0];
  const what = meant[0] ? `${ids.length} entries begin with` : 'there is no entry';
  const fix = meant[0] ? `say which: ${ids.slice(0, 10).join(', ')}` : `docket evidence ${id} lists them`;
  throw new DocketError(meant[0] ? 'INVALID' : 'NOT_FOUND', `${what} "${ref}"`, fix, { ref });
}

async function placesOf({ root, read }: Where, ref: string): Promise<Found[]> {
  const found: Found[] = [];
  const task = queued(await read(), ref);
  if (task)
    found.push({
      layout: 'queue',
      id: task.id,
      taskId: task.id,
      folder: queueEvidence(task.id),
    });
  // Names come from people: nothing is looked up before one is known to be no path.
  const add = (layout: EvidenceLayout, taskId: string, folder: string, ...below: string[]): void => {
    if (isDirectory(path.join(root, folder)))
      found.push({ layout, id: ref, taskId, folder: path.join(folder, ...below) });
  };
  if (isTaskId(ref)) {
    add('task', ref, `${tasksFolder}/${ref}`, ...inTask);
    // A task of the board of which nothing was proved yet has no folder for it.
    const folder = `.docket/board/evidence/${ref}`;
    if (isDirectory(path.join(root, folder)) || isOnBoard(root, ref))
      found.push({ layout: 'board', id: ref, taskId: ref, folder });
  }
  if (/^[A-Za-z0-9][\w.-]{0,127}$/.test(ref) && !ref.includes('..'))
    for (const folder of [packetsFolder, archiveFolder])
      add('packet', idFor(ref), `${folder}/${ref}`, ...inPacket);
  return found;
}

function isOnBoard(root: string, id: string): boolean {
  const store = boardStore(root);
  const tasks = store ? readStore({ ...store, clock: systemClock }, { removed: true }).tasks : [];
  return tasks.some((task) => task.id === id);
}

function queued(tasks: readonly Task[], ref: string): Task | undefined {
  try {
    return taskNamed(tasks, ref);
  } catch (error) {
    if (error instanceof DocketError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

/** From the root. */
export function queueEvidence(id: string): string {
  return `.docket/queue/evidence/${id}`;
}

export function shown(root: string, folder: string, taskId: string): ShownEvidence[] {
  const place = path.join(root, folder);
  return readBook(place).map((entry) => {
    const wrong = wrongWith(entry, place, taskId);
    return wrong === undefined ? entry : { ...entry, wrong };
  });
}

/** The files that the acceptance commands run and the task has changed, as its latest proof says. */
export function changedProof(entries: readonly ShownEvidence[]): string | undefined {
  return changedProofIn(entries);
}

function wrongWith(entry: Evidence, place: string, taskId: string): string | undefined {
  if (entry.taskId !== taskId) return `it is of task ${entry.taskId}`;
  if (entry.id !== idOf(entry)) return 'it was changed after it was made';
  if (!entry.output) return undefined;
  const text = readOutput(place, entry.output.file);
  if (text === undefined) return `its output ${entry.output.file} is gone`;
  return sha256(text) === entry.output.sha256 ? undefined : `its output ${entry.output.file} was changed`;
}
