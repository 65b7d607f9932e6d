import path from 'node:path';
import { isDirectory } from '../../io/find-up.ts';
import { placeOfPacket } from '../../kinds/packet/place.ts';
import type { TaskKind } from '../../render/explain/types.ts';
import { placeFor } from '../../store/file/place.ts';
import type { Task } from '../../task/schema.ts';
import type { StorePlace } from '../explain/stores.ts';
import type { Where } from '../one-store.ts';
import { TaskLookup } from '../ps/tasks.ts';

/** Where a task's agents leave what they say, and how it is asked for as it is now. */
export interface Source {
  kind: TaskKind;
  /** What people call it. */
  name: string;
  journal: string;
  /** The folder of its attempts. */
  attempts: string;
  /** Without a lock. Undefined: it is gone. */
  now: () => Promise<Task | undefined>;
}

export interface Found {
  kind: TaskKind;
  name: string;
  task: Task;
  store: StorePlace;
}

export function sourceOf(where: Where, { kind, name, task, store }: Found): Source {
  let last = task;
  const now = async (): Promise<Task | undefined> => {
    const found = await new TaskLookup(where).find(kind, kind === 'packet' ? name : task.id);
    // A store that cannot be read now may be in the middle of a write: it is asked again.
    if ('problem' in found) return last;
    if (found.task) last = found.task;
    return found.task;
  };
  const attempts = attemptsOf(where.root, { kind, name, task, store });
  return { kind, name, journal: placeFor(store).journal, attempts, now };
}

function attemptsOf(root: string, { kind, name, task, store }: Found): string {
  switch (kind) {
    case 'queue':
    case 'board':
      return path.join(store.dir, 'attempts', task.id);
    case 'task':
      return path.join(store.root, 'agents');
    case 'packet': {
      // With the packet itself what its agents printed was put away.
      const { dir, raw } = placeOfPacket(root, name);
      return path.join(
        isDirectory(dir) ? raw : path.join(root, '.docket', 'packet-archive', name),
        'attempts',
      );
    }
  }
}
