import { Recorder, type Entry } from '../../engine/recorder.ts';
import { settling } from '../../engine/run-end.ts';
import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { iso } from '../../io/clock.ts';
import type { Project } from '../../settings/project.ts';
import { execute } from '../../store/execute.ts';
import type { Store } from '../../store/store.ts';
import { isOver } from '../../task/allowed.ts';
import type { Run } from '../../task/run.ts';
import type { Task } from '../../task/schema.ts';
import { isFinal } from '../../task/status.ts';
import { due, failedSteps } from '../../workflow/advance.ts';
import { claimTask } from '../claim.ts';
import { refused } from '../refused.ts';
import type { TaskDirectory } from './api.ts';
import { assertTask, claimWords } from './place.ts';
import { readTask, shown, withStore } from './stores.ts';

const evidence = 'shared/reports/joined-summary.md';

/**
 * Brings together what is there, also the results of workers that another tool ran. No agent is started. A task of which
 * nothing is left to do is settled as a run settles it: with proof. One that is done or canceled stays so.
 */
export async function joinTask(where: Project, id: string): Promise<TaskDirectory> {
  const place = assertTask(where.root, id);
  await readTask(where, id);
  const joined = await withStore(where, place, async (store) => {
    const before = await store.get(id);
    if (!before)
      throw new DocketError('NOT_FOUND', `there is no task ${id}`, fix`${command`task list`} shows them`, {
        id,
      });
    const { run } = before;
    if (!run) throw nothingToJoin(id);
    if (isFinal(before.status)) return joinedAsIs(store, before, iso(where.clock));
    const claim = await claimTask(store, where, before, { reason: 'its results are joined' }, claimWords(id));
    const recorder = new Recorder(store, claim.task, 'user', () => where.clock.now());
    try {
      await recorder.write({ type: 'join' }, after(before, run));
      return recorder.task;
    } finally {
      await claim.release();
    }
  });
  const { run } = joined;
  if (joined.status !== 'queued' || !run || !isAtItsEnd(run)) return shown(joined);
  const { resumeTask } = await import('./run.ts');
  return resumeTask(where, id, { signal: new AbortController().signal, joinOnly: true });
}

/** Nothing but the proof is left: no step to start, and no planner to ask. */
function isAtItsEnd(run: Run): boolean {
  return due(run, { busy: new Set(), slots: 1 }).every(({ type }) => type === 'finish');
}

/** What is over stays so: only what is told of it is made anew. */
async function joinedAsIs(store: Store, { id }: Task, now: string): Promise<Task> {
  const done = await execute(store, { type: 'join', id, by: 'user' }, { now });
  if (!done.ok) throw refused(done.refusal, id);
  return done.task;
}

function after(task: Task, run: Run): Entry {
  if (Object.values(run.gates).some(({ state }) => state === 'blocked'))
    return settling(task, 'blocked', evidence);
  const isOpen = run.steps.some((step) => !isOver(run, step.id));
  if (!isOpen && failedSteps(run).length > 0) return settling(task, 'failed', evidence);
  const left = isOpen ? 'not all of it is done' : 'it is checked next';
  return { type: 'requeue', reason: `its results were joined; ${left}` };
}

function nothingToJoin(id: string): DocketError {
  return new DocketError(
    'REFUSED',
    `task ${id} has no worker that has begun: there is nothing to join`,
    fix`${command`task run ${id} --actions FILE`}, or --goal "…"`,
    { id },
  );
}
