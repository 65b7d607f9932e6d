import { DocketError } from '../../errors.ts';
import { readConfig } from '../../settings/read-config.ts';
import type { FailedDelivery } from '../../task/delivery.ts';
import type { Task } from '../../task/schema.ts';
import { pushBranch } from '../../workspace/push.ts';
import { sentence } from './deliver.ts';
import type { FinishedPlaces, PrInput } from './finished.ts';
import { notedOf } from './format/noted.ts';
import { provedCommit } from './hand-edits.ts';
import { taskNamed } from './ids.ts';
import { noteOn } from './note-on.ts';
import { assertProved } from './proved.ts';
import { assertGh, pullRequest } from './pull-request.ts';

/** Pushes the branch of finished work, and opens a pull request or finds the open one. */
export async function publish(
  places: FinishedPlaces,
  ref: string,
  { remote, ...input }: PrInput,
): Promise<{ task: Task; url: string; isNew: boolean }> {
  const store = await places.open();
  const task = taskNamed(await store.list(), ref);
  assertProved(task);
  const { branch, commit } = notedOf(task);
  if (branch === undefined || commit === undefined)
    throw new DocketError(
      'REFUSED',
      `task ${task.id} has no finished branch`,
      'it was worked on in place: commit and push it yourself',
      { id: task.id, status: task.status },
    );
  assertGh(places);
  const { git } = await readConfig(places.root, places.env);
  const on = { store, clock: places.clock };
  const proved = await provedCommit(task, places);
  if (proved !== commit) await noteOn(on, task.id, { commit: proved });
  let cause: FailedDelivery['cause'] = 'push';
  try {
    await pushBranch(places.root, { remote, branch, env: places.env, hooks: git?.hooks ?? false });
    cause = 'proposal';
    await noteOn(on, task.id, { pushed: remote });
    const { url, isNew } = await pullRequest(task, input, places);
    const noted = { prUrl: url, deliveryError: undefined, delivery: { state: 'proposed', url } as const };
    return { task: await noteOn(on, task.id, noted), url, isNew };
  } catch (error) {
    if (error instanceof DocketError)
      await noteOn(on, task.id, { delivery: { state: 'failed', cause, reason: sentence(error) } });
    throw error;
  }
}
