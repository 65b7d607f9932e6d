import type { AttemptFolder } from '../../engine/attempt-logs.ts';
import type { FoundTask } from '../../kinds/kind.ts';
import type { Project } from '../../settings/project.ts';
import { openReader } from '../../store/open/open.ts';
import type { StoreReader } from '../../store/store.ts';
import type { KindName } from '../../task/kind-names.ts';
import type { Task } from '../../task/schema.ts';
import { TaskLookup } from '../ps/tasks.ts';
import { kindNamed } from '../tasks/kinds.ts';

/** Where a task's agents leave what they say, and how it is asked for as it is now. */
export interface Source extends AttemptFolder {
  kind: KindName;
  /** What people call it. */
  name: string;
  store: Pick<StoreReader, 'version' | 'changes'>;
  /** Without a lock. Undefined: it is gone. */
  now: () => Promise<Task | undefined>;
}

export type Found = Omit<FoundTask, 'view'>;

export function sourceOf(where: Project, { kind, name, task, store }: Found): Source {
  let last = task;
  const now = async (): Promise<Task | undefined> => {
    const found = await new TaskLookup(where).find(kind, kindNamed(kind).idOf(task));
    // A store that cannot be read now may be in the middle of a write: it is asked again.
    if ('problem' in found) return last;
    if (found.task) last = found.task;
    return found.task;
  };
  const own = kindNamed(kind);
  const attempts = own.attempts({ name, task, store }, where.root);
  const reader = openReader(store, where.clock);
  return { kind, name, store: reader, attempts, attemptsBy: own.attemptsBy, now };
}
