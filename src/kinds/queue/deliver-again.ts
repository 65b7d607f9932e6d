import { DocketError } from '../../errors.ts';
import { readConfig } from '../../settings/read-config.ts';
import type { Store } from '../../store/store.ts';
import { failedDelivery } from '../../task/delivery.ts';
import type { Task } from '../../task/schema.ts';
import { publishAsAsked } from './deliver.ts';
import { ownOf } from './format/record.ts';
import { provedCommit } from './hand-edits.ts';
import { noteOn } from './note-on.ts';
import type { QueueProject } from './queue-project.ts';

/** Delivers proved work once more: no agent is called, and a failure is noted in the place of the last one. */
export async function deliverAgain(
  id: string,
  store: Store,
  { root, dir, env, clock }: Pick<QueueProject, 'root' | 'dir' | 'env' | 'clock'>,
  by: string,
): Promise<Task | undefined> {
  const task = await store.get(id);
  if (!task || !failedDelivery(task)) return task; // another docket was faster
  const { git } = await readConfig(root, env);
  const commit = await provedCommit(task, { root, dir, env });
  const { noted, delivery } = await publishAsAsked(task, { root, env }, git?.hooks);
  const notes = { ...noted, commit, deliveryError: undefined, delivery };
  const after = await noteOn({ store, clock, by }, task.id, notes);
  const failed = failedDelivery(after);
  if (!failed) return after;
  const { name } = ownOf(task);
  const fix =
    failed.cause === 'author'
      ? `review it, then: docket pr ${name}`
      : `fix the cause, then: docket retry ${name}`;
  throw new DocketError('NEEDS_PERSON', `task ${name} is done, delivery failed: ${failed.reason}`, fix, {
    id: task.id,
    name,
    delivery: failed,
  });
}
