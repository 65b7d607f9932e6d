import { iso, sleepBy } from '../../io/clock.ts';
import type { Project } from '../../settings/project.ts';
import type { HasRoom } from '../../settings/room.ts';
import { kindNames, type KindName } from '../../task/kind-names.ts';
import {
  emptyCache,
  nothing,
  readCache,
  writeCache,
  type Cache,
  type FolderRows,
  type Remembered,
} from './cache.ts';
import { compose, type Seen } from './compose.ts';
import { lookAtFolders } from './folders.ts';
import { goneIn } from './gone.ts';
import { lookAtSpent } from './spent.ts';
import { lookAtStore } from './stores.ts';
import type { View, ViewFinding } from './types.ts';

/** Looks at a workspace as often as somebody asks. Takes no lock, and changes nothing but a cache of its own. */
export class Viewer {
  readonly #where: Project;
  #remembered: Remembered | undefined;

  constructor(where: Project) {
    this.#where = where;
  }

  /** `layout`: that one only. */
  async look(query: { layout?: KindName } = {}): Promise<View> {
    this.#remembered ??= readCache(this.#where.root);
    try {
      return await this.#look(query, this.#remembered);
    } catch (error) {
      // A cache that is not what it seems must not be the reason.
      if (this.#remembered.cache === emptyCache) throw error;
      this.#remembered = nothing;
      return this.#look(query, nothing);
    }
  }

  /** A look every so often, until the signal. */
  async *watch(query: { layout?: KindName }, everyMs: number, signal: AbortSignal): AsyncGenerator<View> {
    while (!signal.aborted) {
      yield await this.look(query);
      await sleepBy(this.#where.clock, everyMs, signal);
    }
  }

  async #look({ layout: only }: { layout?: KindName }, remembered: Remembered): Promise<View> {
    const where = this.#where;
    const seen: Seen[] = [];
    const findings: ViewFinding[] = [];
    const next: Cache = { ...remembered.cache };
    const rows: FolderRows = {};
    for (const kind of ['queue', 'board'] as const) {
      if (only !== undefined && only !== kind) continue;
      const look = await lookAtStore(kind, where, remembered);
      if (look.sight) seen.push([kind, look.sight]);
      findings.push(...look.findings);
      if (look.fresh) next[kind] = look.fresh;
      else if (look.stale) delete next[kind];
    }
    for (const kind of ['task', 'packet'] as const) {
      if (only !== undefined && only !== kind) continue;
      const look = await lookAtFolders(kind, where, remembered);
      if (look.sight) seen.push([kind, look.sight]);
      findings.push(...look.findings);
      if (!look.fresh) continue;
      next[kind] = look.fresh.cache;
      rows[kind] = look.fresh.rows;
    }
    const spent = await lookAtSpent(where, remembered);
    if (spent.fresh) next.spent = spent.fresh;
    this.#remember(remembered, next, rows);
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

  #remember(before: Remembered, next: Cache, fresh: FolderRows): void {
    const isSame = (Object.keys({ ...before.cache, ...next }) as (keyof Cache)[]).every(
      (key) => before.cache[key] === next[key],
    );
    if (isSame) return;
    const rows = { ...before.rows(), ...fresh };
    this.#remembered = { cache: next, rows: () => rows };
    writeCache(this.#where.root, next, rows);
  }
}

/** The settings are read only where a cap holds something. */
async function roomIn(seen: readonly Seen[], where: Project): Promise<{ hasRoom?: HasRoom }> {
  const reasons = seen.flatMap(([, { rows }]) => rows.flatMap(({ reason }) => (reason?.cap ? [reason] : [])));
  if (reasons.length === 0) return {};
  const { roomNow } = await import('../../settings/room.ts');
  return { hasRoom: await roomNow(where, reasons) };
}
