import type { FoundTask } from '../../kinds/kind.ts';
import { kindNamed } from '../../kinds/kinds.ts';
import type { KindName } from '../../kinds/names.ts';
import { openReader } from '../../store/open.ts';
import type { StoreReader } from '../../store/store.ts';
import type { Task } from '../../task/schema.ts';
import type { Where } from '../one-store.ts';
import { TaskLookup } from '../ps/tasks.ts';

/** Where a task's agents leave what they say, and how it is asked for as it is now. */
export interface Source {
  kind: KindName;
  /** What people call it. */
  name: string;
  store: Pick<StoreReader, 'version' | 'changes'>;
  /** The folder of its attempts. */
  attempts: string;
  /** Without a lock. Undefined: it is gone. */
  now: () => Promise<Task | undefined>;
}

export type Found = Omit<FoundTask, 'view'>;

export function sourceOf(where: Where, { kind, name, task, store }: Found): Source {
  let last = task;
  const now = async (): Promise<Task | undefined> => {
    const found = await new TaskLookup(where).find(kind, kindNamed(kind).idOf(task));
    // A store that cannot be read now may be in the middle of a write: it is asked again.
    if ('problem' in found) return last;
    if (found.task) last = found.task;
    return found.task;
  };
  const attempts = kindNamed(kind).attempts({ name, task, store }, where.root);
  return { kind, name, store: openReader(store, where.clock), attempts, now };
}
