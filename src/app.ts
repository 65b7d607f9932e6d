import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import type { Config } from './config.ts';
import { DocketError } from './errors.ts';
import { iso, systemClock, type Clock } from './io/clock.ts';
import { readBytes, sizeAndInode } from './io/files.ts';
import { findUp, isDirectory } from './io/find-up.ts';
import { queueFile } from './layout/queue/file.ts';
import type { Finding, ListQuery } from './store/backend.ts';
import type { FileBackend } from './store/file-backend.ts';
import { readQuietStore } from './store/quiet-reader.ts';
import type { StoreView } from './store/reader.ts';
import { waitsIn } from './store/waits.ts';
import type { Task } from './task/schema.ts';
import type { Status } from './task/status.ts';

/** The facade that every surface uses. */
export interface App {
  readonly root: string;
  add(input: AddInput): Promise<Task>;
  /** Reads only: takes no lock, creates and writes nothing. */
  list(query: { status?: readonly Status[] }): Promise<StoreView>;
  /** The same with each task as its JSON text: what stands so on disk need not be parsed to be printed. */
  listTexts(query: { status?: readonly Status[] }): Promise<Omit<StoreView, 'tasks'> & { tasks: string[] }>;
  close(): Promise<void>;
}

export interface AddInput {
  /** The work, in the person's words. The first line becomes the title. */
  text: string;
  /** Name of the entry; made from the text when absent. */
  name?: string;
  workflow?: string;
  priority?: number;
  /** Ids or names of the tasks that must be done first. */
  needs?: readonly string[];
  /** The same key adds one task, however often the command is repeated. */
  key?: string;
}

export interface AppOptions {
  cwd: string;
  /** `--root`: used as it is. Otherwise the nearest ancestor with a docket, layout or git marker. */
  root?: string;
  clock?: Clock;
  warn?: (warning: string) => void;
}

const longestText = 16 * 1024 * 1024;
const markers = ['.docket', '.takt', '.agentmesh', '.git'];

export function findRoot(options: Pick<AppOptions, 'cwd' | 'root'>): string {
  const root = options.root ?? findUp(options.cwd, markers) ?? options.cwd;
  if (!isDirectory(root)) {
    throw new DocketError('NOT_FOUND', `there is no folder ${root}`, 'create it, or give another --root', {
      path: root,
    });
  }
  return root;
}

export async function openApp(options: AppOptions): Promise<App> {
  const root = findRoot(options);
  const clock = options.clock ?? systemClock;
  const dir = path.join(root, '.docket', 'queue');
  let backend: FileBackend | undefined;

  /** Opened by the first command that writes, with what only writers need. */
  const writable = async (): Promise<FileBackend> => {
    if (backend) return backend;
    const config = await readConfig(root);
    const [{ openFileBackend }, { queueLayout }] = await Promise.all([
      import('./store/file-backend.ts'),
      import('./layout/queue/layout.ts'),
    ]);
    backend = await openFileBackend({
      root,
      dir,
      layout: queueLayout,
      clock,
      durability: config.durability,
      lockWaitMs: config.lockWaitSeconds * 1000,
      ...(options.warn && { warn: options.warn }),
    });
    return backend;
  };

  const readAll = async (query: ListQuery): Promise<StoreView> => {
    const [{ readStore }, { queueLayout }] = await Promise.all([
      import('./store/reader.ts'),
      import('./layout/queue/layout.ts'),
    ]);
    return readStore({ root, dir, layout: queueLayout, clock }, query);
  };

  return {
    root,
    async add(input) {
      const store = await writable();
      const [{ addTask }, { newId }] = await Promise.all([
        import('./app/add.ts'),
        import('./store/new-id.ts'),
      ]);
      return addTask(store, input, { id: newId(clock), now: iso(clock) });
    },
    async list(query) {
      const quiet = await readQuietStore({ root, dir, mirror: queueFile, clock });
      return quiet ? { tasks: quiet.list(query), waits: waitsIn(quiet), findings: [] } : readAll(query);
    },
    async listTexts(query) {
      const quiet = await readQuietStore({ root, dir, mirror: queueFile, clock });
      if (quiet) return { tasks: quiet.listTexts(query), waits: waitsIn(quiet), findings: [] };
      const { tasks, ...rest } = await readAll(query);
      return { tasks: tasks.map((task) => JSON.stringify(task)), ...rest };
    },
    close: async () => backend?.close(),
  };
}

export async function readConfig(root: string): Promise<Config> {
  const file = path.join(root, '.docket', 'config.yaml');
  const text = readBytes(file)?.toString('utf8');
  const { defaultConfig, parseConfig } = await import('./config.ts');
  return text === undefined ? defaultConfig : parseConfig(text, file);
}

/** The text of a file that a person named. */
export async function readText(file: string): Promise<string> {
  const data = { path: file };
  const size = sizeAndInode(file)?.size;
  if (size === undefined)
    throw new DocketError('NOT_FOUND', `there is no file ${file}`, 'check the path', data);
  if (size > longestText) {
    throw new DocketError(
      'TOO_LARGE',
      `${file} has ${size} bytes; a task's text may have ${longestText}`,
      'name the file in the text instead',
      data,
    );
  }
  const bytes = readBytes(file) ?? Buffer.alloc(0);
  if (!isUtf8(bytes))
    throw new DocketError('BAD_FILE', `${file} is not valid UTF-8`, 'save it as UTF-8', data);
  return bytes.toString('utf8');
}

/** Checks a file or folder and changes nothing: tasks.yaml, a journal, a config, a root. */
export async function validate(target: string): Promise<Finding[]> {
  const { validatePath } = await import('./app/validate.ts');
  return validatePath(target);
}
