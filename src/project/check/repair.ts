import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import type { Project } from '../../settings/project.ts';
import type { StorePlace } from '../../store/store.ts';
import { repairStore, type RepairPlan } from '../../store/upkeep/repair.ts';
import { kinds, storesIn } from '../tasks/kinds.ts';

export interface Repaired extends RepairPlan {
  /** What `docket repair` calls it. */
  name: string;
}

/** The log of the queue, of the board, of a task directory or a packet; without a name all that need it. */
export async function repairLogs(
  where: Project,
  name: string | undefined,
  { apply }: { apply: boolean },
): Promise<Repaired[]> {
  const { clock, warn } = where;
  const found: Repaired[] = [];
  for (const [called, store] of storesNamed(where.root, name)) {
    const plan = await repairStore({ ...store, layout: await store.layout.load(), clock, warn, apply });
    if (plan && (plan.needed || name !== undefined)) found.push({ name: called, ...plan });
  }
  return found;
}

function storesNamed(root: string, name: string | undefined): [string, StorePlace][] {
  if (name === undefined) {
    const called = storesIn(root).map(({ kind, store, name: one }) => [one ?? kind.name, store] as const);
    const lost = kinds.flatMap((kind) => {
      const store = kind.storeNamed(root, kind.name);
      return store ? [[kind.name, store] as const] : [];
    });
    const byDir = new Map(
      [...lost, ...called].map(([one, store]) => [store.dir, [one, store] as [string, StorePlace]]),
    );
    return [...byDir.values()];
  }
  const [store] = kinds.flatMap((kind) => kind.storeNamed(root, name) ?? []);
  if (store) return [[name, store]];
  throw new DocketError(
    'NOT_FOUND',
    `there is no log called "${name}" here`,
    fix`name the queue, the board, a task directory or a packet: ${command`repair queue`}`,
    { name },
  );
}
