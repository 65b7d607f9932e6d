import path from 'node:path';
import { DocketError, messageOf } from '../../errors.ts';
import type { Ledger } from '../../store/ledger.ts';
import type { Task } from '../../task/schema.ts';
import type { Where } from '../one-store.ts';
import type { Layout } from './whose.ts';

export type FoundTask = { task?: Task } | { problem: string };

/** Looks tasks up in the stores of all layouts as they are now. Takes no lock, writes nothing, reads a store once. */
export class TaskLookup {
  readonly #where: Where;
  readonly #ledgers = new Map<Layout, Promise<(id: string) => Task | undefined>>();

  constructor(where: Where) {
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
    if (layout === 'packet') return (await import('../packet/look-up.ts')).lookUp(this.#where, id);
    if (layout === 'agentmesh') return (await import('../task/stores.ts')).readTask(this.#where, id).task;
    const known = this.#ledgers.get(layout) ?? this.#open(layout);
    this.#ledgers.set(layout, known);
    return (await known)(id);
  }

  async #open(layout: 'queue' | 'board'): Promise<(id: string) => Task | undefined> {
    const { root, clock } = this.#where;
    const { readQuietLog, readQuietStore } = await import('../../store/quiet-reader.ts');
    if (layout === 'board') {
      const { log } = await import('../../layout/board/log.ts');
      const dir = path.join(root, '.docket', 'board');
      return finder(await readQuietLog({ root, dir, log, clock }));
    }
    const { queueFile } = await import('../../layout/queue/file.ts');
    const dir = path.join(root, '.docket', 'queue');
    const quiet = await readQuietStore({ root, dir, mirror: queueFile, clock });
    if (quiet) return finder(quiet);
    const [{ readStore }, { queueLayout }] = await Promise.all([
      import('../../store/reader.ts'),
      import('../../layout/queue/layout.ts'),
    ]);
    const { tasks } = readStore({ root, dir, layout: queueLayout, clock }, { removed: true });
    return (id) => tasks.find((task) => task.id === id);
  }
}

function finder(ledger: Ledger): (id: string) => Task | undefined {
  return (id) => ledger.get(id);
}
