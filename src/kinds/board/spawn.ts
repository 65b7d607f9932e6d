import path from 'node:path';
import { announced, type TaskRef } from '../../engine/progress.ts';
import type { Prover } from '../../engine/prove.ts';
import { DocketError } from '../../errors.ts';
import { command } from '../../errors/command.ts';
import { iso } from '../../io/clock.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { onlyWorker, proverFor } from '../../settings/prove.ts';
import { executeTogether } from '../../store/execute.ts';
import type { Claim } from '../../store/store.ts';
import { isOver } from '../../task/allowed.ts';
import type { Command } from '../../task/command.ts';
import type { Step } from '../../task/run.ts';
import type { Task } from '../../task/schema.ts';
import { refused } from '../refused.ts';
import { type Recipe, runTask } from '../run-task.ts';
import { folderOf } from './projects.ts';
import { held } from './spawn-judge.ts';
import { type Spawning, spawnOrder } from './spawn-order.ts';
import type { SpawnStep, WorkerSeen } from './steps.ts';

/** Who writes down what comes of a worker that docket started. */
const by = 'docket';

/**
 * A claimed task of the board is done by a worker: one step on the one engine. What an earlier docket began is gone on
 * with: its worker is followed if it still works, and read if it has ended.
 */
export async function spawn(claim: Claim, spawning: Spawning, signal: AbortSignal): Promise<SpawnStep> {
  const { desk, store } = spawning;
  const { where } = desk;
  const role = claim.task.owner;
  try {
    await begun(claim, spawning);
  } catch (error) {
    await claim.release().catch(() => undefined); // the error matters; the lock goes with the process
    throw error;
  }
  let seen: WorkerSeen | undefined;
  /** Of two tries the first counts, unless the second is done. */
  const onSeen = (last: WorkerSeen): void => {
    const counts = seen === undefined || last.reasonCode === 'done_with_evidence' ? last : seen;
    seen = seen ? { ...counts, retried: true } : counts;
  };
  const { id } = claim.task;
  const prover = boardProver(id, spawning);
  const title = spawning.workers.masking.text(claim.task.title);
  const ref: TaskRef = { kind: 'board', id, name: id, title };
  const recipe: Recipe = {
    ref,
    goOn: String(command`say "unblock ${id}"`),
    store,
    by,
    where,
    config: spawning.workers.config,
    masking: spawning.workers.masking,
    place: { kind: 'people', cwd: () => folderOf(where.root, id) },
    environment: { tell: where.warn },
    patience: 'wait',
    isToldOutside: true,
    // Nobody is there to be asked: what it may do, the settings say.
    onQuestion: 'deny',
    slots: 1,
    order: (step, now, env) =>
      spawnOrder(step, now, { ...spawning, desk: { ...desk, where: { ...where, env } }, prover, onSeen }),
    next: async (now) => ({ entries: unsettled(now), over: true }),
    evidence: 'its report',
    ...(prover && { prove: prover }),
    signal,
    onProgress: spawning.onProgress,
  };
  const task = await announced(ref, spawning.onProgress, () => runTask(claim, recipe));
  return { ...stepOf(task, role), ...(seen && { worker: seen }) };
}

/** A step of its own for each time that the task is given to a worker; not where the last one is still open. */
async function begun({ task, token }: Claim, { store, workers, desk }: Spawning): Promise<void> {
  const { run, id, owner } = task;
  const last = run?.steps.at(-1);
  if (run && last && !isOver(run, last.id)) return;
  const n = (run?.n ?? 0) + 1;
  const step: Step = {
    id: `work-${n}`,
    kind: 'work',
    node: 'work',
    title: task.title,
    role: owner,
    agent: workers.nameFor(owner),
    needs: [],
  };
  const dispatch: Command = {
    type: 'dispatch',
    id,
    by,
    token,
    n,
    goal: task.title,
    steps: [step],
    orders: '{}',
    workflow: 'board',
    replaces: true,
  };
  const done = await executeTogether(store, id, [dispatch], iso(desk.where.clock));
  if (!done.ok) throw refused(done.refusal, id);
}

/** The judge settles the task with its step. A step that could not even begin has left that undone. */
function unsettled(task: Task) {
  if (task.status !== 'running') return [];
  const last = task.run?.steps.at(-1);
  const text = (last && task.run?.states[last.id]?.reason) ?? 'its worker could not begin';
  return held({ kind: 'setup', text, who: 'a person' }).also ?? [];
}

function stepOf(task: Task, agent: string): SpawnStep {
  const about = { taskId: task.id, agent };
  switch (task.status) {
    case 'done':
      return { ...about, decision: 'done', detail: task.summary };
    case 'blocked':
      return { ...about, decision: 'blocked', detail: task.reason.text };
    case 'queued':
      return { ...about, decision: 'stopped', detail: 'it goes on later' };
    default:
      return { ...about, decision: 'lost', detail: `somebody else decided: it is ${task.status}` };
  }
}

/** What proves the work of a board's worker. Undefined: the folder of its project is gone, and its order says so. */
function boardProver(id: string, { desk, workers }: Spawning): Prover | undefined {
  const { where, dir } = desk;
  try {
    return proverFor(
      { ...where, config: workers.config },
      {
        cwd: folderOf(where.root, id),
        masking: workers.masking,
        attempts: { attemptsBy: 'step', attempts: path.join(dir, 'attempts', id) },
        folder: () => makeOwnFolder(dir, 'evidence', id),
        scratch: () => makeOwnFolder(dir, 'proof', id),
        back: onlyWorker,
        name: id,
        goOn: String(command`say "unblock ${id}"`),
      },
    );
  } catch (error) {
    if (error instanceof DocketError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}
