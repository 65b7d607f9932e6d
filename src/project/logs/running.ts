import { DocketError } from '../../errors.ts';
import type { Project } from '../../settings/project.ts';
import { openReader } from '../../store/open/open.ts';
import type { ListQuery, StorePlace } from '../../store/store.ts';
import type { Task } from '../../task/schema.ts';
import { storesIn } from '../tasks/kinds.ts';
import type { Found } from './source.ts';

const atWork: ListQuery = { status: ['running', 'review'] };

/** What is worked on in this workspace, over all formats. A store is read again only when its journal has changed. */
export class Running {
  readonly #where: Project;
  readonly #known = new Map<string, string>();

  constructor(where: Project) {
    this.#where = where;
  }

  /** Those of the stores in which something happened since the last look. */
  async look(): Promise<Found[]> {
    const found: Found[] = [];
    for (const { kind, name, store } of storesIn(this.#where.root)) {
      const version = await openReader(store, this.#where.clock).version();
      if (version === undefined || this.#known.get(store.dir) === version) continue;
      this.#known.set(store.dir, version);
      for (const task of await this.#tasksIn(store))
        found.push({ kind: kind.name, task, store, name: name ?? kind.nameOf(task) });
    }
    return found;
  }

  /** One that cannot be read hides no other; the next change of it is looked at again. */
  async #tasksIn(store: StorePlace): Promise<Task[]> {
    const { clock } = this.#where;
    try {
      return await openReader(store, clock).read(atWork, (tasks) => tasks.list(atWork));
    } catch (error) {
      if (error instanceof DocketError) return [];
      throw error;
    }
  }
}
