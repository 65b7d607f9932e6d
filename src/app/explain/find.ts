import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { isDirectory } from '../../io/find-up.ts';
import { exists } from '../../io/links.ts';
import { agentmeshLayout } from '../../layout/agentmesh/layout.ts';
import { boardLayout } from '../../layout/board/layout.ts';
import { logFile, ownFolder } from '../../layout/board/places.ts';
import type { Layout } from '../../layout/layout.ts';
import { packetLayout } from '../../layout/packet/layout.ts';
import { idFor } from '../../layout/packet/name.ts';
import { queueLayout } from '../../layout/queue/layout.ts';
import { ownOf } from '../../layout/queue/record.ts';
import type { TaskKind } from '../../render/explain/types.ts';
import { readStore, type StoreView } from '../../store/reader.ts';
import { isTaskId } from '../../task/id.ts';
import type { Task } from '../../task/schema.ts';
import { taskNamed } from '../ids.ts';
import type { Where } from '../one-store.ts';
import { archiveFolder, placeOfPacket } from '../packet/place.ts';
import { placeOfTask } from '../task/place.ts';

/** A task, in whichever format it is written, and where its journal lies. */
export interface FoundTask {
  kind: TaskKind;
  task: Task;
  /** What people call it in this format's commands. */
  name: string;
  view: StoreView;
  store: { root: string; dir: string; layout: Layout };
}

/** Reads only. Names come from people: nothing is looked up before one is known to be no path. */
export function findTask(where: Where, ref: string, of: string | undefined): FoundTask {
  const found = placesFor(where.root, ref)
    .filter(({ kind }) => of === undefined || kind === of)
    .flatMap(({ kind, id, ...store }) => {
      const view = readStore({ ...store, clock: where.clock }, { removed: true });
      const task = kind === 'queue' ? queued(view.tasks, ref) : view.tasks.find((one) => one.id === id);
      return task ? [{ kind, task, view, store, name: kind === 'queue' ? ownOf(task).name : ref }] : [];
    });
  const [first, ...others] = found;
  if (!first)
    throw new DocketError(
      'NOT_FOUND',
      `there is no task "${ref}"${of === undefined ? '' : ` (${of})`}`,
      'docket list, docket task list, docket packet list and docket board status show what is there',
      { ref },
    );
  if (others.length === 0) return first;
  const kinds = found.map(({ kind }) => kind);
  const fix = `say which: --of ${kinds.join(' or --of ')}`;
  throw new DocketError('INVALID', `"${ref}" is the name of more than one thing`, fix, { ref, kinds });
}

interface Candidate {
  kind: TaskKind;
  id: string;
  root: string;
  dir: string;
  layout: Layout;
}

function placesFor(root: string, ref: string): Candidate[] {
  const found: Candidate[] = [];
  const queue = { root, dir: path.join(root, '.docket', 'queue'), layout: queueLayout };
  if (isDirectory(queue.dir) || exists(path.join(root, queueLayout.mirror)))
    found.push({ kind: 'queue', id: ref, ...queue });
  if (isTaskId(ref)) {
    const { dir, own } = placeOfTask(root, ref);
    if (isDirectory(dir)) found.push({ kind: 'task', id: ref, root: dir, dir: own, layout: agentmeshLayout });
    if (exists(path.join(root, logFile)))
      found.push({ kind: 'board', id: ref, root, dir: path.join(root, ownFolder), layout: boardLayout });
  }
  const packet = packetFolder(root, ref);
  if (packet !== undefined)
    found.push({
      kind: 'packet',
      id: idFor(ref),
      root: packet,
      dir: path.join(packet, 'state', 'docket'),
      layout: packetLayout,
    });
  return found;
}

function packetFolder(root: string, ref: string): string | undefined {
  if (!/^[A-Za-z0-9][\w.-]{0,127}$/.test(ref) || ref.includes('..')) return undefined;
  const { dir } = placeOfPacket(root, ref);
  return [dir, path.join(root, archiveFolder, ref)].find((place) => isDirectory(place));
}

function queued(tasks: readonly Task[], ref: string): Task | undefined {
  try {
    return taskNamed(tasks, ref);
  } catch (error) {
    if (error instanceof DocketError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}
