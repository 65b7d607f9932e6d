import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { followLines } from '../../io/append-file.ts';
import { iso } from '../../io/clock.ts';
import { readBytes } from '../../io/files.ts';
import { removeTree } from '../../io/folders.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { unprovedText } from '../../render/unmet.ts';
import { isAgent } from '../../settings/caller.ts';
import { maskingFor, maskWords } from '../../settings/masking.ts';
import type { Project } from '../../settings/project.ts';
import { readConfig } from '../../settings/read-config.ts';
import { trustIn } from '../../settings/trust.ts';
import { execute } from '../../store/execute.ts';
import type { Finding } from '../../store/store.ts';
import { isObject } from '../../task/json.ts';
import { giveUp } from '../give-up.ts';
import { refused } from '../refused.ts';
import type {
  AgainInput,
  CreateInput,
  EventQuery,
  LogLine,
  RanDirectory,
  RunControl,
  RunTaskInput,
  TaskDirectory,
} from './api.ts';
import { newTask } from './format/new-task.ts';
import { assertTask, placeOfTask, taskIds, tasksFolder, tasksPath } from './place.ts';
import { runtimeFolder } from './runtime-folder.ts';
import { readTask, shown, withStore } from './stores.ts';

/** The log as it stands, other tools' lines included. A last line that is being written is not there yet. */
function readEvents(where: Project, id: string, { limit, offset, prefix }: EventQuery): LogLine[] {
  const file = logOf(where, id);
  const lines = (readBytes(file)?.toString('utf8') ?? '').split('\n').slice(0, -1);
  return lines
    .map((line, index) => parsed(line, file, index + 1))
    .filter((line) => matches(line, prefix))
    .slice(offset, offset + limit);
}

async function* followEvents(
  where: Project,
  id: string,
  { prefix, signal }: { prefix?: string; signal: AbortSignal },
): AsyncGenerator<LogLine> {
  const file = logOf(where, id);
  let number = 0;
  for await (const text of followLines(file, signal)) {
    number += 1;
    const line = parsed(text, file, number);
    if (matches(line, prefix)) yield line;
  }
}

function logOf({ root }: Project, id: string): string {
  return path.join(assertTask(root, id).dir, 'events.jsonl');
}

function matches({ type }: LogLine, prefix: string | undefined): boolean {
  return prefix === undefined || (typeof type === 'string' && type.startsWith(prefix));
}

function parsed(text: string, file: string, line: number): LogLine {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // said below: a line that is no object is as wrong as one that is no JSON
  }
  throw new DocketError(
    'BAD_JOURNAL',
    `${file}:${line}: the line is no JSON object`,
    'nothing was changed; restore the file from a backup or version control',
    { path: file, line },
  );
}

/** What cannot be read is a finding, and hides no other. */
export async function listTasks(where: Project): Promise<{ tasks: TaskDirectory[]; findings: Finding[] }> {
  const tasks: TaskDirectory[] = [];
  const findings: Finding[] = [];
  for (const id of taskIds(where.root)) {
    try {
      const found = await readTask(where, id);
      tasks.push(shown(found.task));
      findings.push(...found.findings);
    } catch (error) {
      if (!(error instanceof DocketError)) throw error;
      const path = `${tasksFolder}/${id}`;
      findings.push({ severity: 'error', path, message: error.message, fix: error.fix });
    }
  }
  return { tasks: tasks.toSorted(newestFirst), findings };
}

function newestFirst(a: TaskDirectory, b: TaskDirectory): number {
  return changedAt(b) - changedAt(a) || (a.id < b.id ? -1 : 1);
}

/** What the file says: a task that nobody has taken in yet is as old as that. */
function changedAt({ file, task }: TaskDirectory): number {
  const { updatedAt } = file;
  return Date.parse(typeof updatedAt === 'string' ? updatedAt : task.updatedAt);
}

const longestTitle = 200;

export async function createTask(where: Project, given: CreateInput): Promise<TaskDirectory> {
  const input = await maskWords(where, given);
  const title = input.title.trim();
  if (title === '' || title.length > longestTitle) {
    const message = title === '' ? 'the task has no title' : `the title has ${title.length} characters`;
    throw new DocketError('INVALID', message, `give --title 1 to ${longestTitle} characters`);
  }
  // Before anything is made: settings that cannot be read leave nothing behind.
  const config = await readConfig(where.root, where.env);
  const id = `task-${randomUUID().replaceAll('-', '')}`;
  const place = placeOfTask(where.root, id);
  const folder = makeOwnFolder(where.root, ...tasksFolder.split('/'), id);
  for (const name of ['shared', 'agents']) makeOwnFolder(folder, name);
  return withStore(where, place, async (store) => {
    const made = newTask({ ...input, title });
    const trust = isAgent(where.env) ? trustIn({ source: 'agent' }, config) : undefined;
    const done = await execute(
      store,
      { type: 'create', id, by: 'user', ...made, ...(trust && { trust }) },
      { now: iso(where.clock) },
    );
    if (!done.ok) throw refused(done.refusal);
    return shown(done.task);
  });
}

/** Task directories (`.agentmesh/tasks/<id>/`), one store each. What only reads changes no byte. */
export type TaskDirectories = ReturnType<typeof taskDirectories>;

/** What runs, packs or checks is loaded by the command that does. */
export function taskDirectories(where: Project) {
  return {
    create: (input: CreateInput) => createTask(where, input),
    /** Newest change first. What cannot be read is a finding, and hides no other. */
    list: () => listTasks(where),
    async show(id: string): Promise<TaskDirectory> {
      const { task, findings } = await readTask(where, id);
      for (const { path, line, message, fix } of findings.filter(({ severity }) => severity === 'warning'))
        where.warn(`${path}:${line ?? 1}: ${message}; ${fix}`);
      return shown(task);
    },
    /** Lines of its log, oldest first: filtered, then cut. */
    events: async (id: string, query: EventQuery): Promise<LogLine[]> => readEvents(where, id, query),
    /** The same from the first line that matches, then live ones until the signal. */
    follow: (id: string, query: { prefix?: string; signal: AbortSignal }): AsyncIterable<LogLine> =>
      followEvents(where, id, query),
    /** Checks everything that was given before anything changes. */
    run: async (id: string, input: RunTaskInput): Promise<RanDirectory> =>
      (await import('./run.ts')).runDirectory(where, id, input),
    /** Goes on after a person has acted, or after an interruption. Refused while a gate still waits. */
    resume: async (id: string, control: RunControl): Promise<RanDirectory> =>
      (await import('./run.ts')).runDirectory(where, id, { ...control, kind: 'rest' }),
    /** Lets what failed, or was given up, be tried again; what is done stays done. */
    retry: async (id: string, input: RunControl & AgainInput): Promise<RanDirectory> =>
      (await import('./run.ts')).runDirectory(where, id, { ...input, kind: 'again' }),
    /** Brings the results that are there together, also of workers that another tool ran. */
    join: async (id: string): Promise<TaskDirectory> => (await import('./join.ts')).joinTask(where, id),
    /** The whole task. A run of it that is under way ends its agents within seconds. */
    async cancel(id: string, { reason }: { reason?: string }): Promise<TaskDirectory> {
      const place = assertTask(where.root, id);
      await readTask(where, id);
      const folderOf = (step: string, n: number) => runtimeFolder(place.dir, step, n);
      return withStore(where, place, async (store) =>
        shown(await giveUp(store, where, { id, reason }, folderOf)),
      );
    },
    /** One archive (.tar.gz) without vendor homes, logins or locks. */
    async export(id: string, { file }: { file: string }) {
      const { exportTask } = await import('./transfer.ts');
      const masker = maskingFor(where, await readConfig(where.root, where.env));
      return exportTask({ dir: assertTask(where.root, id).dir, file, masker });
    },
    async import({ file, dryRun }: { file: string; dryRun: boolean }) {
      const { importTask } = await import('./transfer.ts');
      const imported = await importTask({ file, tasksDir: tasksPath(where.root), dryRun });
      // What docket remembers of a folder of this name that is gone says nothing about the one that came.
      if (!dryRun) removeTree(placeOfTask(where.root, imported.id).own);
      return imported;
    },
    async validate(id: string): Promise<Finding[]> {
      const { validateTaskDir } = await import('./validate.ts');
      const { dir } = assertTask(where.root, id);
      return [...(await validateTaskDir(dir)), ...(await byHand(where, id, dir))];
    },
  };
}

/** A state that somebody wrote into the file: the other commands say the same of it. */
async function byHand(where: Project, id: string, dir: string): Promise<Finding[]> {
  try {
    const { task } = await readTask(where, id);
    if (task.status !== 'done' || !task.unproved) return [];
    const { text } = fix`check the work yourself, or continue it: ${command`task retry ${id}`}`;
    return [{ severity: 'note', path: path.join(dir, 'task.yaml'), message: unprovedText, fix: text }];
  } catch (error) {
    if (error instanceof DocketError) return []; // what cannot be read is found by the checks above
    throw error;
  }
}
