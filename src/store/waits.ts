import { lostIn } from '../task/lost.ts';
import { unmetNeeds, type UnmetNeed } from '../task/needs.ts';
import type { Ledger } from './ledger.ts';

/** What each queued task waits for, by its id. A task that waits for nothing is not in it. */
export type Waits = Record<string, UnmetNeed[]>;

export function waitsIn(ledger: Ledger): Waits {
  const waits: Waits = {};
  const lostOf = lostIn(ledger);
  for (const task of ledger.active()) {
    if (task.status !== 'queued' || task.needs.length === 0) continue;
    const unmet = unmetNeeds(ledger, task).map((need): UnmetNeed => {
      const lost = lostOf(need);
      return lost ? { ...need, lost } : need;
    });
    if (unmet.length > 0) waits[task.id] = unmet;
  }
  return waits;
}
