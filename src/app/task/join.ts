import path from 'node:path';
import { Recorder, type Entry } from '../../engine/recorder.ts';
import { DocketError } from '../../errors.ts';
import { iso } from '../../io/clock.ts';
import { readTextFile } from '../../io/text-file.ts';
import { foreignResults } from '../../layout/agentmesh/joined.ts';
import { ownOf } from '../../layout/agentmesh/own.ts';
import { resultFrom } from '../../layout/agentmesh/result.ts';
import type { Json } from '../../layout/layout.ts';
import type { Backend } from '../../store/backend.ts';
import { executeTogether } from '../../store/execute-together.ts';
import { isOver } from '../../task/allowed.ts';
import type { Command } from '../../task/command.ts';
import type { Task } from '../../task/schema.ts';
import { isFinal } from '../../task/status.ts';
import { failedSteps } from '../../workflow/advance.ts';
import { refused } from '../refused.ts';
import type { TaskDirectory } from './api.ts';
import { claimed } from './claim.ts';
import { dispatchOf } from './dispatch.ts';
import { assertTask } from './place.ts';
import { readTask, shown, withStore, type Where } from './stores.ts';

const longestResult = 4 * 1024 * 1024;
const evidence = 'shared/reports/joined-summary.md';

/**
 * Brings together what is there, also the results of workers that another tool ran: their final.json is taken in as it
 * stands. Nothing is started. A task of which nothing is left to do is settled by what its workers handed back; one that is
 * done or canceled stays so.
 */
export async function joinTask(where: Where, id: string): Promise<TaskDirectory> {
  const place = assertTask(where.root, id);
  readTask(where, id);
  return withStore(where, place, async (store) => {
    const before = await store.get(id);
    if (!before)
      throw new DocketError('NOT_FOUND', `there is no task ${id}`, 'docket task list shows them', { id });
    const results = resultsIn(place.dir, before);
    // Of one that another tool has done nothing was ordered: its results are all that there is to settle it by.
    if (isFinal(before.status) && (before.run || before.status === 'canceled'))
      return shown(await joinedAsIs(store, before, results, iso(where.clock)));
    const claim = await claimed(store, where, before, { reason: 'its results are joined' });
    const recorder = new Recorder(store, claim.task, 'user', () => where.clock.now());
    try {
      const entries: Entry[] = [];
      if (!before.run)
        entries.push(await dispatchOf(before, { goal: before.title, steps: [], orders: {} }, store));
      if (Object.keys(results).length > 0)
        entries.push({ type: 'edit', set: { extras: { ...before.extras, [foreignResults]: results } } });
      await recorder.write(...entries, { type: 'join' }, settling(before, results));
      return shown(recorder.task);
    } finally {
      await claim.release();
    }
  });
}

/** What is over stays so: only what is told of it is made anew. */
async function joinedAsIs(
  store: Backend,
  { id, run, extras }: Task,
  results: Record<string, Json>,
  now: string,
): Promise<Task> {
  const about = { id, by: 'user' };
  const commands: Command[] = [
    ...(Object.keys(results).length > 0
      ? [{ ...about, type: 'edit' as const, set: { extras: { ...extras, [foreignResults]: results } } }]
      : []),
    ...(run ? [{ ...about, type: 'join' as const }] : []),
  ];
  const done = await executeTogether(store, id, commands, now);
  if (!done.ok) throw refused(done.refusal, id);
  return done.task;
}

/** Of the workers that are not steps of ours; what cannot be read is no result. */
function resultsIn(dir: string, task: Task): Record<string, Json> {
  const mine = new Set(task.run?.steps.map(({ id }) => id));
  const found = ownOf(task)
    .roster.filter(({ instance }) => !mine.has(instance))
    .flatMap(({ instance }): [string, Json][] => {
      const value = readJson(path.join(dir, 'agents', instance, 'artifacts', 'final.json'));
      return resultFrom(value) ? [[instance, value as Json]] : [];
    });
  return Object.fromEntries(found);
}

function readJson(file: string): Json | undefined {
  try {
    return JSON.parse(readTextFile(file, longestResult) ?? '') as Json;
  } catch {
    return undefined; // shown as missing, which it is
  }
}

function settling(task: Task, results: Record<string, Json>): Entry {
  const { run } = task;
  const said = Object.values(results).map((value) => resultFrom(value)?.status);
  const missing = ownOf(task).roster.length > said.length + (run?.steps.length ?? 0);
  const open = missing || run?.steps.some((step) => !isOver(run, step.id));
  if (open || (said.length === 0 && !run?.steps.length))
    return { type: 'requeue', reason: 'its results were joined; not all of it is done' };
  const failed = said.includes('failed') || (run && failedSteps(run).length > 0);
  if (failed) return { type: 'settle', verdict: { kind: 'fail', reason: `see ${evidence}` }, summary: '' };
  if (said.includes('blocked')) {
    const reason = { kind: 'gate' as const, text: `a worker is blocked, see ${evidence}`, who: 'a person' };
    return { type: 'settle', verdict: { kind: 'hold', reason }, summary: '' };
  }
  return {
    type: 'settle',
    verdict: { kind: 'pass', evidence: [evidence] },
    summary: `joined in ${evidence}`,
  };
}
