import { DocketError, messageOf } from '../../errors.ts';
import type { Project } from '../../settings/project.ts';
import type { Task } from '../../task/schema.ts';
import type { Layout } from './whose.ts';

export type FoundTask = { task?: Task } | { problem: string };

/** Looks tasks up in the stores of all layouts as they are now. Takes no lock, writes nothing, reads a store once. */
export class TaskLookup {
  readonly #where: Project;
  readonly #ledgers = new Map<Layout, Promise<(id: string) => Task | undefined>>();

  constructor(where: Project) {
    this.#where = where;
  }

  /** A store that cannot be read is told: what runs for it is there all the same. */
  async find(layout: Layout, id: string): Promise<FoundTask> {
    try {
      const task = await this.#find(layout, id);
      return task ? { task } : {};
    } catch (error) {
      const isGone = error instanceof DocketError && error.code === 'NOT_FOUND';
      return isGone ? {} : { problem: messageOf(error) };
    }
  }

  async #find(layout: Layout, id: string): Promise<Task | undefined> {
    if (layout === 'packet')
      return (await (await import('../../kinds/packet/read.ts')).readPacket(this.#where, id)).task;
    if (layout === 'task')
      return (await (await import('../../kinds/directory/stores.ts')).readTask(this.#where, id)).task;
    const known = this.#ledgers.get(layout) ?? this.#open(layout);
    this.#ledgers.set(layout, known);
    return (await known)(id);
  }

  async #open(layout: 'queue' | 'board'): Promise<(id: string) => Task | undefined> {
    const { storeOf } = await import('../view/read-store.ts');
    const store = await storeOf(layout, this.#where);
    return store.read({ removed: true }, (tasks) => (id: string) => tasks.get(id));
  }
}
