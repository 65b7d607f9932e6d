import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { replaceFile } from '../../io/files.ts';
import { isDirectory } from '../../io/find-up.ts';
import { readTextFile } from '../../io/text-file.ts';
import { asciiJson } from '../../schema/json.ts';
import { applyTogether } from '../../store/execute.ts';
import type { Command } from '../../task/command.ts';
import { isObject } from '../../task/json.ts';
import type { Event } from '../../task/schema.ts';
import type { Applied, Sheet } from './apply.ts';
import { withOwn } from './format/extras.ts';
import { nextTaskId } from './format/ids.ts';
import type { Intent } from './format/intent.ts';
import { ownFolder } from './format/places.ts';
import { plannedTasks } from './format/project.ts';
import { refusedBy } from './refusals.ts';

type ProjectIntent = Extract<Intent, { intent: 'create_project' | 'start_project' }>;

/** A project is its tasks, each meant for somebody: all of them are made, or none. */
export function projectTasks(
  sheet: Sheet,
  name: string,
  items: readonly string[],
  by: { actor: string; intent: ProjectIntent; projectId?: string },
): { ids: string[]; events: readonly Event[] } | Applied {
  const { ledger, commit, now, key, trust } = sheet;
  const taken = new Set(ledger.ids());
  const { projectId } = by;
  const commands = plannedTasks(name, items).map(({ title, assigneeHint }): Command => {
    const id = nextTaskId(taken);
    taken.add(id);
    const extras = withOwn({}, { assigneeHint, ...(projectId !== undefined && { projectId }) });
    return {
      type: 'create',
      id,
      by: by.actor,
      title,
      spec: { body: title },
      extras,
      ...(trust && { trust }),
    };
  });
  const done = applyTogether(ledger, commands, now, commit, { key });
  if (!done.ok) return refusedBy(done, by.intent);
  return { ids: commands.map(({ id }) => id), events: done.events };
}

export function projectCreated(
  sheet: Sheet,
  intent: Extract<Intent, { intent: 'create_project' }>,
  actor: string,
): Applied {
  const made = projectTasks(sheet, intent.name, intent.items, { actor, intent });
  if ('outcome' in made) return made;
  const { ids, events } = made;
  return { outcome: { kind: 'project_created', name: intent.name, count: ids.length }, events };
}

const file = `${ownFolder}/projects.json`;

/** A folder whose work is on the board. */
export interface BoundProject {
  /** Without links. */
  path: string;
  name: string;
  document?: string;
  taskIds: readonly string[];
}

export function readProjects(root: string): BoundProject[] {
  const { projects } = readState(root, file);
  if (!isObject(projects)) return [];
  return Object.entries(projects).flatMap(([folder, value]): BoundProject[] => {
    if (!isObject(value) || !path.isAbsolute(folder)) return [];
    const { name, document, taskIds } = value;
    if (typeof name !== 'string' || !Array.isArray(taskIds)) return [];
    return [
      {
        path: folder,
        name,
        ...(typeof document === 'string' && { document }),
        taskIds: taskIds.filter((id) => typeof id === 'string'),
      },
    ];
  });
}

/** For who holds the board's lock. */
export function bindProject(root: string, project: BoundProject): void {
  const all = [...readProjects(root).filter((one) => one.path !== project.path), project];
  const projects = Object.fromEntries(all.map(({ path: folder, ...rest }) => [folder, rest]));
  writeState(root, file, { v: 1, projects });
}

/** Where a task is worked on: where its project is, else where the board is. */
export function folderOf(root: string, taskId: string): string {
  const project = readProjects(root).find(({ taskIds }) => taskIds.includes(taskId));
  if (!project) return root;
  if (isDirectory(project.path)) return project.path;
  throw new DocketError(
    'NOT_FOUND',
    `the folder of project ${project.name} is gone: ${project.path}`,
    'put it back, or start the project where it is now',
    { path: project.path },
  );
}

const longest = 4 * 1024 * 1024;

type Data = Record<string, unknown>;

/** A small file of the board, `{}` where there is none. What does not parse is somebody's, and stays. */
export function readState(root: string, name: string): Data {
  const text = readTextFile(path.join(root, name), longest);
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // said below
  }
  throw new DocketError('BAD_FILE', `${name} is no JSON object`, 'mend it, or remove it', { path: name });
}

/** For who holds the board's lock. In the bytes that the format's other tools write. */
function writeState(root: string, name: string, value: Data): void {
  const text = asciiJson(JSON.stringify(value, undefined, 2));
  replaceFile(path.join(root, name), `${text}\n`, { sync: true, own: true });
}
