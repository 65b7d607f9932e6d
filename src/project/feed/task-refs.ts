import type { TaskRef } from '../../engine/progress.ts';
import { DocketError } from '../../errors.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { StoreReader } from '../../store/store.ts';
import type { Event, Task } from '../../task/schema.ts';

interface Source {
  key: string;
  kind: Kind;
  /** Of the only task, where the store has one. */
  name: string | undefined;
}

const most = 2000;

/** What people call the tasks of events. The latest are kept, so that not every event costs a look at its store. */
export class TaskRefs {
  readonly #known = new Map<string, TaskRef>();

  /** From the event that made the task, else as the store has it now. */
  async of(source: Source & { reader: StoreReader }, event: Event): Promise<TaskRef> {
    const { key, kind, name } = source;
    const { taskId: id } = event;
    const known = name === undefined ? `${key}${id}` : key;
    const ref =
      (event.type === 'task.edited' ? undefined : this.#known.get(known)) ??
      refTo(kind, (await taskOf(source.reader, event)) ?? { id: name ?? id, title: '', extras: {} }, name);
    this.#known.delete(known);
    this.#known.set(known, ref);
    const [oldest] = this.#known.keys();
    if (this.#known.size > most && oldest !== undefined) this.#known.delete(oldest);
    return ref;
  }

  /** What the only task of a store was called that is gone. */
  last({ key, kind, name = '' }: Source): TaskRef {
    return this.#known.get(key) ?? { kind: kind.name, id: name, name, title: '' };
  }
}

type Called = Pick<Task, 'id' | 'title' | 'extras'>;

function refTo(kind: Kind, task: Called, name: string | undefined): TaskRef {
  const whole = task as Task; // its name and its id are all that is asked for
  return {
    kind: kind.name,
    id: name ?? kind.idOf(whole),
    name: name ?? kind.nameOf(whole),
    title: task.title,
  };
}

async function taskOf(reader: StoreReader, event: Event): Promise<Called | undefined> {
  const { taskId: id } = event;
  if (event.type === 'task.created') return { extras: {}, ...event.data, id };
  try {
    return await reader.read({ only: id }, (tasks) => tasks.get(id));
  } catch (error) {
    if (error instanceof DocketError) return undefined;
    throw error;
  }
}
