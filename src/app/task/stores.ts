import { DocketError } from '../../errors.ts';
import type { Clock } from '../../io/clock.ts';
import { agentmeshLayout } from '../../layout/agentmesh/layout.ts';
import type { Finding } from '../../store/backend.ts';
import { openFileBackend, type FileBackend } from '../../store/file-backend.ts';
import { readStore } from '../../store/reader.ts';
import type { Task } from '../../task/schema.ts';
import { readConfig } from '../config.ts';
import type { TaskDirectory } from './api.ts';
import { assertTask, tasksFolder, type TaskPlace } from './place.ts';

/** What all of this works with. */
export interface Where {
  root: string;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  warn: (warning: string) => void;
}

/** A task as it is, without a lock and without writing a byte. */
export function readTask(where: Where, id: string): { task: Task; findings: Finding[] } {
  const { dir, own } = assertTask(where.root, id);
  const { tasks, findings } = readStore({
    root: dir,
    dir: own,
    layout: agentmeshLayout,
    clock: where.clock,
  });
  const task = tasks.find((one) => one.id === id);
  if (task) return { task, findings };
  const [first] = findings;
  throw new DocketError(
    first ? 'BAD_FILE' : 'NOT_FOUND',
    first ? `${first.path}: ${first.message}` : `${tasksFolder}/${id} holds no task of that id`,
    first?.fix ?? "its task.yaml must have the folder's name as its id (docket task validate)",
    { id, findings },
  );
}

/** Opens the task's store for writing, hands it to `use`, and closes it whatever happens. */
export async function withStore<T>(
  where: Where,
  place: TaskPlace,
  use: (store: FileBackend) => Promise<T>,
): Promise<T> {
  const config = await readConfig(where.root, where.env);
  const store = await openFileBackend({
    root: place.dir,
    dir: place.own,
    layout: agentmeshLayout,
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

export function shown(task: Task): TaskDirectory {
  return {
    id: task.id,
    dir: `${tasksFolder}/${task.id}`,
    file: agentmeshLayout.describe(task) ?? {},
    task,
  };
}
