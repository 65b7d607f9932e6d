import { createHash } from 'node:crypto';
import path from 'node:path';
import { DocketError, messageOf } from '../../errors.ts';
import { isDirectory } from '../../io/find-up.ts';
import { realFolder } from '../../io/links.ts';
import { readTextFile } from '../../io/text-file.ts';
import { compareIds } from '../../task/id.ts';
import { only, type Asked, type Done } from './act.ts';
import type { Applied, Sheet } from './apply.ts';
import { autopilotIn, autopilotName } from './autopilot-state.ts';
import { given } from './change.ts';
import { lookAt, withBoard, type Desk } from './desk.ts';
import { ownOf } from './format/extras.ts';
import type { Intent } from './format/intent.ts';
import { projectFrom, type Project } from './format/project.ts';
import { readBoard } from './look.ts';
import { bindProject, readProjects, type BoundProject, projectTasks } from './projects.ts';

type StartProject = Extract<Intent, { intent: 'start_project' }>;

const documents = ['PRD.md', 'prd.md', 'README.md', 'readme.md'];
const longestDocument = 1024 * 1024;

/** A folder's work comes onto the board, once, and its first task is given to somebody. */
export async function projectStarted(desk: Desk, intent: StartProject, asked: Asked): Promise<Done> {
  const { root, env } = desk.where;
  const wanted = path.resolve(root, intent.path.replace(/^~(?=\/|$)/, env['HOME'] ?? '~'));
  if (wanted.includes('\0') || !isFolder(wanted)) return only({ kind: 'bad_path', path: intent.path });
  const folder = realFolder(wanted);
  const read = documentIn(folder, desk);
  const project = projectFrom(read?.text, path.basename(folder), asked.locale ?? asked.request);
  const found = { folder, project, document: read?.name };
  const bound = await withBoard(desk, async (store) => {
    const key = keyOf(folder);
    const made = await store.exclusive([], (ledger, commit, now, state) =>
      tasksOf({ ledger, commit, now, state, key, trust: asked.trust }, intent, found, desk, asked),
    );
    // Only now are the tasks sure to be there.
    if (!('outcome' in made) && !made.isBound)
      await store.exclusive([], () => bindProject(root, made.project));
    return made;
  });
  if ('outcome' in bound) return bound;
  const first = await firstUndone(desk, bound.project);
  const mode =
    asked.mode ??
    (autopilotIn(await readBoard(desk.where).state(autopilotName)).enabled ? 'spawn' : 'manual');
  const begun =
    first === undefined ? undefined : await given(desk, { intent: 'run', taskId: first }, { ...asked, mode });
  const { name, document, taskIds } = bound.project;
  return {
    outcome: {
      kind: 'project_started',
      name,
      count: taskIds.length,
      path: folder,
      taskIds,
      ...(document !== undefined && { document }),
      ...(bound.again && { again: true }),
      ...(begun && { first: begun.outcome }),
    },
    events: [...bound.events, ...(begun?.events ?? [])],
  };
}

/** A path that cannot be looked at is no project, whatever the reason. */
function isFolder(folder: string): boolean {
  try {
    return isDirectory(folder);
  } catch (error) {
    if (error instanceof DocketError) return false;
    throw error;
  }
}

function documentIn(folder: string, { where }: Desk): { name: string; text: string } | undefined {
  for (const name of documents) {
    try {
      const text = readTextFile(path.join(folder, name), longestDocument);
      if (text !== undefined) return { name, text };
    } catch (error) {
      where.warn(`the project's ${name} is not read: ${messageOf(error)}`);
    }
  }
  return undefined;
}

function keyOf(folder: string): string {
  return `project:${createHash('sha256').update(folder).digest('hex')}`;
}

interface Found {
  folder: string;
  project: Project;
  document: string | undefined;
}

type Bound = { project: BoundProject; isBound: boolean; again: boolean; events: Done['events'] };

/** Under the lock. Tasks that were made before the binding was written down are found by their project. */
function tasksOf(
  sheet: Sheet,
  intent: StartProject,
  { folder, project, document }: Found,
  { where }: Desk,
  { actor }: Asked,
): Bound | Applied {
  const before = readProjects(where.root).find((one) => one.path === folder);
  if (before) return { project: before, isBound: true, again: true, events: [] };
  const projectId = idOf(folder);
  const { kind } = sheet.commit({
    events: [],
    expect: {},
    ...(sheet.key !== undefined && { key: sheet.key }),
  });
  const again = kind === 'duplicate';
  const made = again
    ? { ids: idsIn(sheet, projectId), events: [] }
    : projectTasks(sheet, project.name, project.tasks, { actor, intent, projectId });
  if ('outcome' in made) return made;
  const bound = { path: folder, name: project.name, taskIds: made.ids };
  return {
    project: { ...bound, ...(document !== undefined && { document }) },
    isBound: false,
    again,
    events: made.events,
  };
}

function idsIn({ ledger }: Sheet, projectId: string): string[] {
  return ledger
    .list()
    .filter((task) => ownOf(task).projectId === projectId)
    .map(({ id }) => id)
    .toSorted(compareIds);
}

/** For people to read, and another for every folder. */
function idOf(folder: string): string {
  const name = path
    .basename(folder)
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .slice(0, 40);
  return `${name || 'project'}-${createHash('sha256').update(folder).digest('hex').slice(0, 8)}`;
}

/** Not one that somebody has already, or that waits for somebody. */
async function firstUndone(desk: Desk, { taskIds }: BoundProject): Promise<string | undefined> {
  const look = await lookAt(desk);
  const undone = taskIds.map((id) => look.get(id)).find((task) => task && task.status !== 'done');
  return undone?.status === 'pending' ? undone.taskId : undefined;
}
