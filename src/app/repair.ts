import { DocketError } from '../errors.ts';
import { repairStore, type RepairPlan } from '../store/file/repair.ts';
import {
  boardPlace,
  oneTaskStores,
  packetStore,
  queueStore,
  taskStore,
  type StorePlace,
} from './explain/stores.ts';
import type { Where } from './one-store.ts';

export interface Repaired extends RepairPlan {
  /** What `docket repair` calls it. */
  name: string;
}

/** The log of the queue, of the board, of a task directory or a packet; without a name all that need it. */
export async function repairLogs(
  where: Where,
  name: string | undefined,
  { apply }: { apply: boolean },
): Promise<Repaired[]> {
  const { clock, warn } = where;
  const found: Repaired[] = [];
  for (const [called, store] of storesNamed(where.root, name)) {
    const plan = await repairStore({ ...store, clock, warn, apply });
    if (plan && (plan.needed || name !== undefined)) found.push({ name: called, ...plan });
  }
  return found;
}

function storesNamed(root: string, name: string | undefined): [string, StorePlace][] {
  const shared: [string, StorePlace | undefined][] = [
    ['queue', queueStore(root)],
    ['board', boardPlace(root)],
  ];
  const ones = (): [string, StorePlace][] => [...oneTaskStores(root)].map((one) => [one.name, one.store]);
  const all = shared.flatMap(([called, store]): [string, StorePlace][] => (store ? [[called, store]] : []));
  if (name === undefined) return [...all, ...ones()];
  const known =
    all.find(([called]) => called === name)?.[1] ?? taskStore(root, name) ?? packetStore(root, name);
  if (known) return [[name, known]];
  throw new DocketError(
    'NOT_FOUND',
    `there is no log called "${name}" here`,
    'name the queue, the board, a task directory or a packet: docket repair queue',
    { name },
  );
}
