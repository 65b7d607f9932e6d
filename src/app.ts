import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import type { AddInput } from './app/add-input.ts';
import type { Board } from './app/board/board.ts';
import type { BoardTools } from './app/board/tools.ts';
import type { Chats } from './app/chat/api.ts';
import type { CompatEnd, CompatWorld } from './app/compat/run.ts';
import type { EvidenceQuery, ReadEvidence } from './app/evidence.ts';
import type { AgentInfo } from './app/list-agents.ts';
import type { Notices } from './app/notify/api.ts';
import type { Packets } from './app/packet/api.ts';
import type { PlannedTask } from './app/plan.ts';
import type { Processes } from './app/ps/api.ts';
import type { QueueTasks } from './app/queue/api.ts';
import type { QueueFiles } from './app/queue/files-api.ts';
import type { FinishedWork } from './app/queue/finished.ts';
import type { RanTask, RunInput } from './app/run.ts';
import type { TrustInput } from './app/set-trust.ts';
import type { Spending } from './app/spending.ts';
import type { TaskDirectories } from './app/task/api.ts';
import type { TryInput, TryResult } from './app/try-agent.ts';
import type { Workflows } from './app/workflow/api.ts';
import { DocketError } from './errors.ts';
import { iso, systemClock, type Clock } from './io/clock.ts';
import { readNamed, sizeAndInode } from './io/files.ts';
import { findUp, isDirectory } from './io/find-up.ts';
import type { Explanation } from './render/explain/types.ts';
import type { Finding, ListQuery } from './store/backend.ts';
import type { FileBackend } from './store/file-backend.ts';
import type { OrderedView, StoreView } from './store/reader.ts';
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
  /** Runs what is queued, until nothing is left that could start now. */
  run(input: RunInput): Promise<RanTask[]>;
  /** What `run` would start first, in order, and why the rest waits. Changes nothing. */
  plan(input: Pick<RunInput, 'tasks' | 'agent'>): Promise<PlannedTask[]>;
  /** The agents that can be named, and what is known about them without spending a call. */
  agents(): Promise<AgentInfo[]>;
  /** Task directories, each with many agents and steps. */
  tasks(): Promise<TaskDirectories>;
  /** Tasks of the queue, one by one. */
  queue(): Promise<QueueTasks>;
  /** A person vouches for a task, or takes that back. */
  trust(ref: string, input: TrustInput): Promise<Task>;
  /** What docket saw of a task's work, whatever its layout. */
  evidence(ref: string, query: EvidenceQuery): Promise<ReadEvidence>;
  /** How a task came to be as it is, and what can be done now, whatever its layout. `of`: which, where several have that name. */
  explain(ref: string, of?: string): Promise<Explanation>;
  /** What is done with a task's work after its run: diff, merge, pull request, delete. */
  finished(): Promise<FinishedWork>;
  /** The queue's files as a whole: archive, migrate. */
  queueFiles(): Promise<QueueFiles>;
  /** Task packets, each a sequence of stages. */
  packets(): Promise<Packets>;
  /** The board: who does what. */
  board(): Promise<Board>;
  /** What keeps its files in order. */
  boardTools(): Promise<BoardTools>;
  /** The chats that it can be worked from. */
  chats(): Promise<Chats>;
  /** Workflows: what is there, what is wrong with it, how it looks. */
  workflows(): Promise<Workflows>;
  /** What really runs for the tasks of this root, over all layouts. */
  processes(): Promise<Processes>;
  /** How people hear that they are needed. */
  notices(): Promise<Notices>;
  /** What calls of agents have cost, what they may cost, and who is at a limit. */
  spending(): Promise<Spending>;
  /** One turn of one agent, outside of any task. */
  tryAgent(input: TryInput): Promise<TryResult>;
  close(): Promise<void>;
}

export type { AddInput, RunInput, TryInput };

export interface AppOptions {
  cwd: string;
  /** Default: the process's own. */
  env?: Readonly<Record<string, string | undefined>>;
  /** `--root`: used as it is. Otherwise the nearest ancestor with a docket, layout or git marker. */
  root?: string;
  clock?: Clock;
  warn?: (warning: string) => void;
  /** Makes the terminal ring in which somebody watches a run. Absent: nobody does. */
  ring?: (sound: string) => void;
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
  const env = options.env ?? process.env;
  const dir = path.join(root, '.docket', 'queue');
  const warn = options.warn ?? (() => undefined);
  const where = { root, env, clock, warn, ...(options.ring && { ring: options.ring }) };
  let backend: FileBackend | undefined;

  /** Opened by the first command that writes, with what only writers need. */
  const writable = async (): Promise<FileBackend> => {
    if (backend) return backend;
    const { readConfig } = await import('./app/config.ts');
    const config = await readConfig(root, env);
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

  const readAll = async (query: ListQuery): Promise<OrderedView> => {
    const [{ readStore }, { queueLayout }] = await Promise.all([
      import('./store/reader.ts'),
      import('./layout/queue/layout.ts'),
    ]);
    return readStore({ root, dir, layout: queueLayout, clock }, query);
  };

  /** Without the layout, when nobody has edited the file: that is most of the time, and most of what loading costs. */
  const readQuiet = async () => {
    const [{ readQuietStore }, { queueFile }, { waitsIn }] = await Promise.all([
      import('./store/quiet-reader.ts'),
      import('./layout/queue/file.ts'),
      import('./store/waits.ts'),
    ]);
    const quiet = await readQuietStore({ root, dir, mirror: queueFile, clock });
    return quiet && { quiet, waits: waitsIn(quiet) };
  };

  const readTasks = async (query: ListQuery): Promise<StoreView> => {
    const found = await readQuiet();
    return found ? { tasks: found.quiet.list(query), waits: found.waits, findings: [] } : readAll(query);
  };

  return {
    root,
    async add(input) {
      const store = await writable();
      const [{ addTask }, { newId }] = await Promise.all([
        import('./app/add.ts'),
        import('./store/new-id.ts'),
      ]);
      return addTask(store, input, { id: newId(clock), now: iso(clock) }, { root, env, clock, warn });
    },
    list: readTasks,
    async listTexts(query) {
      const found = await readQuiet();
      if (found) return { tasks: found.quiet.listTexts(query), waits: found.waits, findings: [] };
      const { tasks, waits, findings } = await readAll(query);
      return { tasks: tasks.map((task) => JSON.stringify(task)), waits, findings };
    },
    async run(input) {
      const { runQueue } = await import('./app/run.ts');
      return runQueue(await writable(), input, { ...where, dir });
    },
    async plan(input) {
      const { planRun } = await import('./app/plan.ts');
      return planRun(await readAll({}), input, { root, dir, env, clock });
    },
    async agents() {
      const { listAgents } = await import('./app/list-agents.ts');
      return listAgents({ root, env });
    },
    async tasks() {
      const { taskDirectories } = await import('./app/task/directories.ts');
      return taskDirectories(where);
    },
    async queue() {
      const { queueTasks } = await import('./app/queue/tasks.ts');
      return queueTasks({ root, dir, env, clock, read: () => readTasks({}), open: writable });
    },
    async trust(ref, input) {
      const { setTrust } = await import('./app/set-trust.ts');
      return setTrust({ root, env, clock, warn }, { read: () => readTasks({}), open: writable }, ref, input);
    },
    async evidence(ref, query) {
      const { readEvidenceOf } = await import('./app/evidence.ts');
      return readEvidenceOf({ root, read: async () => (await readTasks({})).tasks }, ref, query);
    },
    async explain(ref, of) {
      const { explain } = await import('./app/explain/explain.ts');
      return explain({ root, env, clock, warn }, ref, of);
    },
    async finished() {
      const { finishedWork } = await import('./app/queue/finished.ts');
      return finishedWork({ root, dir, env, clock, read: readAll, open: writable });
    },
    async queueFiles() {
      const { queueFiles } = await import('./app/queue/files.ts');
      return queueFiles({ root, dir, clock, read: () => readAll({}), open: writable });
    },
    async board() {
      const { makeBoard } = await import('./app/board/board.ts');
      return makeBoard(where);
    },
    async boardTools() {
      const { boardTools } = await import('./app/board/tools.ts');
      return boardTools({ root, env, clock, warn });
    },
    async chats() {
      const { makeChats } = await import('./app/chat/chats.ts');
      return makeChats({ root, env, clock, warn });
    },
    async packets() {
      const { makePackets } = await import('./app/packet/packets.ts');
      return makePackets(where);
    },
    async workflows() {
      const { makeWorkflows } = await import('./app/workflow/workflows.ts');
      return makeWorkflows({ root, env });
    },
    async processes() {
      const { makeProcesses } = await import('./app/ps/processes.ts');
      return makeProcesses({ root, env, clock, warn });
    },
    async notices() {
      const { makeNotices } = await import('./app/notify/notices.ts');
      return makeNotices(where);
    },
    async spending() {
      const { spending } = await import('./app/spending.ts');
      return spending({ root, env, clock, warn });
    },
    async tryAgent(input) {
      const { tryAgent } = await import('./app/try-agent.ts');
      return tryAgent(input, { root, env, clock });
    },
    close: async () => backend?.close(),
  };
}

/** The text of a file that a person named. */
export async function readText(file: string, longest = longestText): Promise<string> {
  const data = { path: file };
  const size = sizeAndInode(file)?.size;
  if (size === undefined)
    throw new DocketError('NOT_FOUND', `there is no file ${file}`, 'check the path', data);
  if (size > longest) {
    throw new DocketError(
      'TOO_LARGE',
      `${file} has ${size} bytes; it may have ${longest}`,
      'give a shorter text that names the file',
      data,
    );
  }
  const bytes = readNamed(file) ?? Buffer.alloc(0);
  if (!isUtf8(bytes))
    throw new DocketError('BAD_FILE', `${file} is not valid UTF-8`, 'save it as UTF-8', data);
  return bytes.toString('utf8');
}

/** Checks a file or folder and changes nothing: tasks.yaml, a journal, a config, a root. */
export async function validate(target: string): Promise<Finding[]> {
  const { validatePath } = await import('./app/validate.ts');
  return validatePath(target);
}

/** A script of the original board, with its own arguments: its root is among them. */
export async function compat(
  script: string,
  argv: readonly string[],
  world: CompatWorld,
): Promise<CompatEnd> {
  const { runCompat } = await import('./app/compat/run.ts');
  return runCompat(script, argv, world);
}
