import path from 'node:path';
import { DocketError } from '../errors.ts';
import type { Clock } from '../io/clock.ts';
import { listDir } from '../io/files.ts';
import { isDirectory } from '../io/find-up.ts';
import type { Project } from '../settings/project.ts';
import type { Blobs, Finding, StorePlace } from '../store/store.ts';
import type { StoreView } from '../store/view.ts';
import type { KindName } from '../task/kind-names.ts';
import type { Event, Task } from '../task/schema.ts';
import type { Status } from '../task/status.ts';
import type { End } from '../task/trail-schema.ts';
import type { OrderedWork } from './due.ts';
import { assertReadable } from './one-store.ts';

/** A store; `name` is that of its only task, where a store holds one task. */
export interface KindStore {
  name?: string;
  store: StorePlace;
}

/** A task of any kind, and where its journal is. */
export interface FoundTask {
  kind: KindName;
  task: Task;
  /** What people call it. */
  name: string;
  view: StoreView;
  store: StorePlace;
}

/** What a kind needs to look for a task. `read` reads each store once. */
export interface Look {
  root: string;
  clock: Clock;
  read: (store: StorePlace) => Promise<StoreView>;
}

/** The tasks that a text may mean. */
export interface Matches {
  /** The text is the name or the id of these. */
  whole: FoundTask[];
  /** The text is how the names of these begin. */
  begun: () => Promise<FoundTask[]>;
}

/** A question that a worker asked by what it wrote, and what was said to it. */
export interface Asked {
  question: string;
  by: string;
  at: string;
  answer?: { text: string; by: string; at: string };
}

/** A folder of one task, for `docket disk`. */
export interface DiskFolder {
  /** The task's id. */
  id: string;
  /** Absent: the kind keeps no list of its tasks. */
  task?: { name: string; status: Status } | { deleted: true };
  holds: 'workspace' | 'attempts' | 'evidence' | 'runs' | 'files';
  path: string;
}

/** What one step changed. */
export interface Patch {
  patch: string;
  /** Something is left out: it is too long, or was not kept. */
  partial?: boolean;
}

/** What distinguishes one kind of task from the others. A fifth kind would implement this. `Own`: what only its tasks have. */
export interface Kind<Own extends object = object> {
  readonly name: KindName;
  /** The place of its tasks, in words for people. */
  readonly where: string;
  /** The stores of a project, without reading them. */
  stores(root: string): Iterable<KindStore>;
  /** The store that people call so, also one that `stores` leaves out: a board without its log, an archived packet. */
  storeNamed(root: string, name: string): StorePlace | undefined;
  /** Every task that can be read. */
  all(look: Look): Promise<FoundTask[]>;
  match(look: Look, ref: string): Promise<Matches>;
  /** The names of its tasks, to suggest one of them. */
  names(look: Look): Promise<string[]>;
  nameOf(task: Task): string;
  /** What commands call it, where that is not its id. */
  callName?(task: Task): string;
  /** What links call it. */
  idOf(task: Task): string;
  /** What so many of its stores are called. */
  count(stores: number): string;
  /** What is wrong with a store, beyond what every reader would say. */
  check?(project: Project, found: KindStore): Promise<Finding[]>;
  /** What is ordered and not done, where `docket run` is not all that works on it. Reads only. */
  ordered?(project: Project): Promise<OrderedWork[]>;
  /** Its stores hold many tasks, or none. */
  holdsMany: boolean;
  /** Who would get the task if somebody gave it away. */
  assignee?(project: Project, task: Task): Promise<string>;
  /** The words of the task as they are now. */
  text?(root: string, store: { blobs: Pick<Blobs, 'get'> }, task: Task): Promise<string>;
  /** What a worker asked in the words of this kind, and the answers. Absent: its questions are the gates of its run. */
  questions?(events: readonly Event[]): Asked[];
  /** Attempts are folders of a step, or of an agent's instance. */
  attemptsBy: 'step' | 'instance';
  /** The folder of what its agents said. */
  attempts(found: Pick<FoundTask, 'name' | 'task' | 'store'>, root: string): string;
  /** Its own folder with how the work tree looked before and after each step. */
  trail(found: Pick<FoundTask, 'name' | 'task' | 'store'>, root: string): string;
  /** The folder of what docket saw of its work, from the root. */
  evidence(found: Pick<FoundTask, 'name' | 'task' | 'store'>, root: string): string;
  /** The folder that its agents work in, where it has one. */
  workspace?(task: Task): string | undefined;
  /** What `show` has of a task beyond what every task has. */
  details(project: Project, found: FoundTask): Promise<Own>;
  /** Everything that may stop a task, or that breaks the rules of its format. */
  validate(project: Project, found: FoundTask): Promise<Finding[]>;
  /** What a step changed, where whole trees are kept. */
  patchOf?(root: string, found: FoundTask, end: End): Promise<Patch>;
  /** The folders of its tasks, and those that are left of tasks that are gone. */
  folders(look: Look): Promise<DiskFolder[]>;
}

/** A folder of its own for each task. */
export function foldersIn(root: string, holds: DiskFolder['holds'], ...folders: string[]): DiskFolder[] {
  return folders
    .flatMap((folder) =>
      listDir(path.join(root, folder)).map((id) => ({ id, holds, path: path.join(root, folder, id) })),
    )
    .filter((found) => isDirectory(found.path));
}

/** The tasks of a store that cannot be read are left out: whoever names one of them hears why. */
export async function readable(read: () => Promise<FoundTask[]>): Promise<FoundTask[]> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DocketError) return [];
    throw error;
  }
}

/** A shorter beginning of a name is more likely a slip. */
const shortest = 3;

export function isBeginning(ref: string, name: string): boolean {
  return ref.length >= shortest && name.startsWith(ref);
}

/** What kinds have in common whose stores hold one task each: the folder has its name. */
export function kindOfFolders(own: {
  kind: KindName;
  names: (root: string) => readonly string[];
  /** Undefined: there is no such folder, or the name is none. */
  storeOf: (root: string, name: string) => StorePlace | undefined;
  taskIn: (tasks: readonly Task[], name: string, store: StorePlace) => Task | undefined;
}): Pick<Kind, 'stores' | 'storeNamed' | 'all' | 'match' | 'names'> {
  const { kind, names, storeOf, taskIn } = own;
  const read = async (look: Look, wanted: readonly string[]): Promise<FoundTask[]> => {
    const found: FoundTask[] = [];
    for (const name of wanted) {
      const store = storeOf(look.root, name);
      if (!store) continue;
      const view = await look.read(store);
      const task = taskIn(view.tasks, name, store);
      if (task) found.push({ kind, task, name, view, store });
      else assertReadable(name, view.findings);
    }
    return found;
  };
  return {
    *stores(root) {
      for (const name of names(root)) {
        const store = storeOf(root, name);
        if (store) yield { name, store };
      }
    },
    storeNamed: storeOf,
    async all(look) {
      const found: FoundTask[] = [];
      for (const name of names(look.root)) found.push(...(await readable(() => read(look, [name]))));
      return found;
    },
    match: async (look, ref) => ({
      whole: await read(look, [ref]),
      begun: () =>
        read(
          look,
          names(look.root).filter((name) => isBeginning(ref, name)),
        ),
    }),
    names: async ({ root }) => [...names(root)],
  };
}
