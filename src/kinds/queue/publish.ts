import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { readConfig } from '../../settings/read-config.ts';
import type { Store } from '../../store/store.ts';
import { type FailedDelivery, failedDelivery } from '../../task/delivery.ts';
import type { Task } from '../../task/schema.ts';
import { pushBranch } from '../../workspace/push.ts';
import { publishAsAsked, sentence } from './deliver.ts';
import type { FinishedPlaces, PrInput } from './finished.ts';
import { notedOf, ownOf } from './format/record.ts';
import { assertProved, provedCommit } from './hand-edits.ts';
import { taskNamed } from './ids.ts';
import type { QueueProject } from './kind.ts';
import { noteOn } from './note-on.ts';
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
  const todo =
    failed.cause === 'author'
      ? fix`review it, then: ${command`pr ${name}`}`
      : fix`fix the cause, then: ${command`retry ${name}`}`;
  throw new DocketError('NEEDS_PERSON', `task ${name} is done, delivery failed: ${failed.reason}`, todo, {
    id: task.id,
    name,
    delivery: failed,
  });
}
