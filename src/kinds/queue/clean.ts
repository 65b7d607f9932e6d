import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { bytesIn } from '../../io/disk.ts';
import type { Config } from '../../settings/config.ts';
import { readConfig } from '../../settings/read-config.ts';
import type { Store } from '../../store/store.ts';
import type { Task } from '../../task/schema.ts';
import { isFinal } from '../../task/status.ts';
import { readMarker } from '../../workspace/marker.ts';
import { removeGone, removeWorkspace } from '../../workspace/remove.ts';
import type { Cleaned, CleanedWorkspace, CleanInput, FinishedPlaces } from './finished.ts';
import { notedOf, ownOf } from './format/record.ts';
import { noteOn } from './note-on.ts';
import { assertAsItWas, assertUnused, lossesIn, mergeSaves, takeAway } from './remove.ts';

const dayMs = 86_400_000;

interface Policy {
  olderThanMs: number;
  maxBytes: number;
}

type Ended = Task & { finishedAt: string };

/**
 * Takes away workspaces of tasks that are over, the oldest first: those that are too old, and as many more as it takes
 * until all together are small enough. Records and branches stay. What would lose something is kept, and named.
 */
export async function cleanWorkspaces(places: FinishedPlaces, input: CleanInput): Promise<Cleaned> {
  const config = await readConfig(places.root, places.env);
  const policy = policyFor(input, config);
  const { tasks } = await places.read({});
  const sizes = new Map(tasks.flatMap((task) => sizeOf(task)));
  const bytesBefore = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
  let left = bytesBefore;
  const workspaces: CleanedWorkspace[] = [];
  for (const task of oldestFirst(tasks.filter((one) => sizes.has(one.id)))) {
    const bytes = sizes.get(task.id) ?? 0;
    const why = whyDue(task, left, policy, places.clock.now());
    if (why === undefined) continue;
    const kept = await keptFor(places, config, task, input);
    workspaces.push({ ...aboutOf(task, bytes), ...(kept ?? { action: 'remove', why }) });
    if (!kept) left -= bytes;
  }
  const { maxBytes } = policy;
  const most = maxBytes === Infinity ? {} : { maxBytes };
  return { workspaces, bytesBefore, bytesAfter: left, ...most, dryRun: input.dryRun };
}

function policyFor({ olderThanMs, maxBytes }: CleanInput, { retention }: Config): Policy {
  const { days, gigabytes } = retention?.workspaces ?? {};
  const isAsked = olderThanMs !== undefined || maxBytes !== undefined;
  const policy = isAsked
    ? { olderThanMs: olderThanMs ?? Infinity, maxBytes: maxBytes ?? Infinity }
    : { olderThanMs: (days ?? Infinity) * dayMs, maxBytes: (gigabytes ?? Infinity) * 1e9 };
  if (policy.olderThanMs < Infinity || policy.maxBytes < Infinity) return policy;
  throw new DocketError(
    'USAGE',
    'say what to remove',
    'give --older-than 14d or --max-size 10GB, or write retention.workspaces into .docket/config.yaml',
  );
}

/** One that is not there may have been on its way out when docket died: what is left of it goes too. */
function sizeOf(task: Task): [string, number][] {
  const { workspace } = notedOf(task);
  return workspace === undefined ? [] : [[task.id, bytesIn(workspace)]];
}

function oldestFirst(tasks: readonly Task[]): Ended[] {
  return tasks
    .filter(
      (task): task is Ended => (isFinal(task.status) || task.status === 'failed') && 'finishedAt' in task,
    )
    .toSorted((a, b) => (a.finishedAt < b.finishedAt ? -1 : 1));
}

function whyDue({ finishedAt }: Ended, left: number, policy: Policy, now: number): string | undefined {
  const age = now - Date.parse(finishedAt);
  if (age >= policy.olderThanMs) return `ended ${Math.floor(age / dayMs)} days ago`;
  return left > policy.maxBytes ? 'all together are too large' : undefined;
}

type Kept = Pick<CleanedWorkspace, 'action' | 'why' | 'fix'>;

/** Undefined: it is gone, or would be. */
async function keptFor(
  places: FinishedPlaces,
  config: Config,
  task: Ended,
  { dryRun, by }: CleanInput,
): Promise<Kept | undefined> {
  try {
    const unsafe = await unsafeIn(places.root, task);
    if (unsafe) return unsafe;
    if (dryRun) {
      assertUnused(places.root, task);
      return undefined;
    }
    const store = await places.open();
    return await takeAway(places, config, task, () => removed(places, store, task, by));
  } catch (error) {
    // Of one that cannot be removed the others do not have to hear more than that.
    if (!(error instanceof DocketError)) throw error;
    return { action: 'keep', why: error.message, fix: error.fix };
  }
}

async function unsafeIn(root: string, task: Task): Promise<Kept | undefined> {
  const losses = await lossesIn(root, task);
  if (losses.length === 0) return undefined;
  const { name } = ownOf(task);
  const save = command`delete ${name} --keep-as ${name}`;
  const todo = losses.every(({ savable }) => savable)
    ? mergeSaves(task, losses)
      ? fix`${command`merge ${name}`}, or ${save}`.text
      : String(save)
    : 'see to that first: nothing of it can be saved from here';
  return { action: 'keep', why: losses.map(({ text }) => text).join('; '), fix: todo };
}

/** Somebody may have come in between, and taken the task up again. */
async function removed(
  { root, clock }: FinishedPlaces,
  store: Store,
  task: Task,
  by: string,
): Promise<Kept | undefined> {
  await assertAsItWas(store, task);
  const unsafe = await unsafeIn(root, task);
  if (unsafe) return unsafe;
  const place = notedOf(task).workspace ?? '';
  const marker = readMarker(place, { root, id: task.id });
  if (marker) await removeWorkspace(root, task.id, marker.plan);
  else await removeGone(root, task.id, path.dirname(place), 'worktree');
  await noteOn({ store, clock, by }, task.id, { workspace: undefined });
  return undefined;
}

function aboutOf(task: Ended, bytes: number) {
  const { id, status, finishedAt } = task;
  return { id, name: ownOf(task).name, status, workspace: notedOf(task).workspace ?? '', bytes, finishedAt };
}
