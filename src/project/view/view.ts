import { iso, sleepBy } from '../../io/clock.ts';
import type { Project } from '../../settings/project.ts';
import type { HasRoom } from '../../settings/room.ts';
import { kindNames, type KindName } from '../../task/kind-names.ts';
import { readCache, writeCache, type Cache } from './cache.ts';
import { compose, type Seen } from './compose.ts';
import { lookAtFolders } from './folders.ts';
import { goneIn } from './gone.ts';
import { lookAtStore, type StoreLook } from './read-store.ts';
import { lookAtSpent } from './spent.ts';
import type { View, ViewFinding } from './types.ts';

/** Looks at a workspace as often as somebody asks. Takes no lock, and changes nothing but a cache of its own. */
export class Viewer {
  readonly #where: Project;
  #cache: Cache | undefined;
  readonly #stores: { queue?: StoreLook; board?: StoreLook } = {};

  constructor(where: Project) {
    this.#where = where;
  }

  /** `layout`: that one only. */
  async look(query: { layout?: KindName } = {}): Promise<View> {
    this.#cache ??= readCache(this.#where.root);
    try {
      return await this.#look(query, this.#cache);
    } catch (error) {
      // A cache that is not what it seems must not be the reason.
      if (Object.keys(this.#cache).length === 0) throw error;
      this.#cache = {};
      return this.#look(query, this.#cache);
    }
  }

  /** A look every so often, until the signal. */
  async *watch(query: { layout?: KindName }, everyMs: number, signal: AbortSignal): AsyncGenerator<View> {
    while (!signal.aborted) {
      yield await this.look(query);
      await sleepBy(this.#where.clock, everyMs, signal);
    }
  }

  async #look({ layout: only }: { layout?: KindName }, cache: Cache): Promise<View> {
    const where = this.#where;
    const seen: Seen[] = [];
    const findings: ViewFinding[] = [];
    const next: Cache = { ...cache };
    for (const kind of ['queue', 'board'] as const) {
      if (only !== undefined && only !== kind) continue;
      const look = await lookAtStore(kind, where, this.#stores[kind]);
      this.#stores[kind] = look;
      if (look.sight) seen.push([kind, look.sight]);
      findings.push(...look.findings);
    }
    for (const kind of ['task', 'packet'] as const) {
      if (only !== undefined && only !== kind) continue;
      const look = await lookAtFolders(kind, where, cache[kind]);
      if (look.sight) seen.push([kind, look.sight]);
      findings.push(...look.findings);
      if (look.fresh) next[kind] = look.fresh;
    }
    const spent = await lookAtSpent(where, cache.spent);
    if (spent.fresh) next.spent = spent.fresh;
    if ((['task', 'packet', 'spent'] as const).some((part) => next[part] !== cache[part])) {
      this.#cache = next;
      writeCache(where.root, next);
    }
    const now = where.clock.now();
    // What was handed in by a process that has died since stays handed in.
    const dead = await goneIn(
      seen.flatMap(([, sight]) => sight.rows),
      'review',
    );
    const room = await roomIn(seen, where);
    return {
      at: iso(where.clock),
      root: where.root,
      layouts: kindNames.flatMap((layout) => {
        const sight = seen.find(([kind]) => kind === layout)?.[1];
        return sight ? [{ layout, tasks: sight.tasks, counts: sight.counts }] : [];
      }),
      findings: [...findings, ...spent.findings],
      ...compose(seen, { now, parked: spent.parked, ...room }, (row) => dead.has(row)),
      ...(spent.cost && { cost: spent.cost }),
      parked: spent.parked,
    };
  }
}

/** The settings are read only where a cap holds something. */
async function roomIn(seen: readonly Seen[], where: Project): Promise<{ hasRoom?: HasRoom }> {
  const reasons = seen.flatMap(([, { rows }]) => rows.flatMap(({ reason }) => (reason?.cap ? [reason] : [])));
  if (reasons.length === 0) return {};
  const { roomNow } = await import('../../settings/room.ts');
  return { hasRoom: await roomNow(where, reasons) };
}
