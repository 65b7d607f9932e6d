import { DocketError } from '../errors.ts';
import { ownOf } from '../layout/queue/record.ts';
import type { Backend } from '../store/backend.ts';

/** People name tasks by id or by the name of their entry. */
export async function idsOf(store: Backend, wanted: readonly string[]): Promise<string[]> {
  const found = await Promise.all(wanted.map((ref) => store.get(ref)));
  const missing = wanted.filter((_, index) => found[index] === undefined);
  const byName = missing.length === 0 ? new Map<string, string>() : await idsByName(store);
  return wanted.map((ref) => {
    const id = missing.includes(ref) ? byName.get(ref) : ref;
    if (id !== undefined) return id;
    throw new DocketError('NOT_FOUND', `there is no task "${ref}"`, 'docket list shows ids and names', {
      ref,
    });
  });
}

export async function idsByName(store: Backend): Promise<Map<string, string>> {
  const tasks = await store.list();
  return new Map(tasks.map((task) => [ownOf(task).name, task.id]));
}
