import { DocketError } from '../errors.ts';
import type { Layout, LazyLayout } from '../layout/layout.ts';
import type { Project } from '../settings/project.ts';
import { openReader, openStore } from '../store/open/open.ts';
import type { Finding, ReadQuery, Store } from '../store/store.ts';
import type { Task } from '../task/schema.ts';

/** A folder that is one task. */
export interface OnePlace {
  id: string;
  dir: string;
  /** docket's own folder for it: locks, and what was last written. */
  own: string;
}

/** A task as it is, without a lock and without writing a byte. `fromFile`: as in `ReadNotes`. */
export interface FoundOne {
  task: Task;
  findings: readonly Finding[];
  fromFile: boolean;
}

export function readOne(
  where: Pick<Project, 'clock'>,
  place: OnePlace,
  layout: LazyLayout,
  taskId = place.id,
  query: ReadQuery = {},
): Promise<FoundOne> {
  return readSole(where, place, layout, (task) => task.id === taskId, query);
}

/** The same for a folder that may have another name than its task. */
export async function readSole(
  { clock }: Pick<Project, 'clock'>,
  { dir, own, id }: OnePlace,
  layout: LazyLayout,
  isIt: (task: Task) => boolean = () => true,
  query: ReadQuery = {},
): Promise<FoundOne> {
  const store = openReader({ root: dir, dir: own, layout }, clock);
  const { tasks, ...notes } = await store.read(query, (found, { findings, fromFile }) => ({
    tasks: found.list(query),
    findings,
    fromFile,
  }));
  const task = tasks.find(isIt);
  if (task) return { task, ...notes };
  const { findings } = notes;
  assertReadable(id, findings);
  const fix = `its ${layout.mirror} must have the folder's name as its id`;
  throw new DocketError('NOT_FOUND', `${dir} holds no task of that id`, fix, { id, findings });
}

/** Why a folder with files of a task gives none. */
export function assertReadable(id: string, findings: readonly Finding[]): void {
  const [first] = findings;
  if (first)
    throw new DocketError('BAD_FILE', `${placeOf(first)}: ${first.message}`, first.fix, { id, findings });
}

function placeOf({ path, line, column }: Finding): string {
  return [path, line, column].filter((part) => part !== undefined).join(':');
}

/** Opens the task's store for writing, hands it to `use`, and closes it whatever happens. */
export async function withOne<T>(
  where: Project,
  { dir, own }: OnePlace,
  layout: Layout,
  use: (store: Store) => Promise<T>,
): Promise<T> {
  // Who only looks is not to wait for what only writers need.
  const { readConfig } = await import('../settings/read-config.ts');
  const config = await readConfig(where.root, where.env);
  const store = await openStore({
    root: dir,
    dir: own,
    layout,
    clock: where.clock,
    durability: config.durability,
    lockWaitMs: config.lockWaitSeconds * 1000,
    warn: where.warn,
  });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}
