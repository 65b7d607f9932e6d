import { iso, sleep } from '../../io/clock.ts';
import { adoptProcess } from '../../io/process/adopt.ts';
import { findMarked } from '../../io/process/marked.ts';
import { execute } from '../../store/execute.ts';
import { openAttempts } from '../../task/allowed.ts';
import type { Attempt } from '../../task/attempt.ts';
import { refused } from '../refused.ts';
import type { TaskDirectory } from './api.ts';
import { assertTask, type TaskPlace } from './place.ts';
import { runtimeFolder } from './runtime-folder.ts';
import { shown, withStore, type Where } from './stores.ts';

/** How long the docket that runs it may take to end its agents; then we end them. */
const graceMs = 8_000;
const lookEveryMs = 200;

/** Gives the task up. When this returns, no agent of it is at work any more, whoever had started it. */
export async function cancelTask(where: Where, id: string, reason: string): Promise<TaskDirectory> {
  const place = assertTask(where.root, id);
  return withStore(where, place, async (store) => {
    const before = await store.get(id);
    const done = await execute(store, { type: 'cancel', id, by: 'user', reason }, { now: iso(where.clock) });
    if (!done.ok) throw refused(done.refusal);
    const open = before ? openAttempts(before) : [];
    if (before?.status === 'running') await endedByOthers(open);
    for (const attempt of atWork(open)) await end(place, attempt);
    return shown(done.task);
  });
}

/** The docket that runs it notices within seconds. */
async function endedByOthers(open: readonly Attempt[]): Promise<void> {
  for (let waited = 0; waited < graceMs && atWork(open).length > 0; waited += lookEveryMs)
    await sleep(lookEveryMs);
}

function atWork(open: readonly Attempt[]): Attempt[] {
  return open.filter(({ mark }) => findMarked(mark).length > 0);
}

async function end({ dir }: TaskPlace, { step, n, mark }: Attempt): Promise<void> {
  await adoptProcess({ dir: runtimeFolder(dir, step, n), mark })?.stop('canceled');
}
