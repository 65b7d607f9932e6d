import { DocketError, messageOf } from '../../errors.ts';
import type { Project } from '../../settings/project.ts';
import { openReader } from '../../store/open/open.ts';
import type { KindName } from '../../task/kind-names.ts';
import type { Task } from '../../task/schema.ts';
import { lookIn } from '../tasks/find.ts';
import { kindNamed } from '../tasks/kinds.ts';

export type FoundTask = { task?: Task } | { problem: string };

/** Looks up tasks of any kind as they are now. Takes no lock, writes nothing, reads a store of many tasks once. */
export class TaskLookup {
  readonly #where: Project;
  readonly #stores = new Map<KindName, Promise<(id: string) => Task | undefined>>();

  constructor(where: Project) {
    this.#where = where;
  }

  /** A store that cannot be read is told: what runs for it is there all the same. */
  async find(layout: KindName, id: string): Promise<FoundTask> {
    try {
      const kind = kindNamed(layout);
      if (!kind.holdsMany) {
        const [found] = (await kind.match(lookIn(this.#where), id)).whole;
        return found ? { task: found.task } : {};
      }
      const known = this.#stores.get(layout) ?? this.#open(layout);
      this.#stores.set(layout, known);
      const task = (await known)(id);
      return task ? { task } : {};
    } catch (error) {
      const isGone = error instanceof DocketError && error.code === 'NOT_FOUND';
      return isGone ? {} : { problem: messageOf(error) };
    }
  }

  async #open(layout: KindName): Promise<(id: string) => Task | undefined> {
    const place = kindNamed(layout).storeNamed(this.#where.root, layout);
    if (!place) return () => undefined;
    return openReader(place, this.#where.clock).read(
      { removed: true },
      (tasks) => (id: string) => tasks.get(id),
    );
  }
}
