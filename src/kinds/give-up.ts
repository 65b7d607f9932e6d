import { endAttempts, isAtWork } from '../engine/leftover-attempts.ts';
import { iso, sleep } from '../io/clock.ts';
import { adoptProcess } from '../io/process/adopt.ts';
import { maskWords } from '../settings/masking.ts';
import type { Project } from '../settings/project.ts';
import { execute } from '../store/execute.ts';
import type { Store } from '../store/store.ts';
import { openAttempts } from '../task/allowed.ts';
import type { Attempt } from '../task/attempt.ts';
import type { Task } from '../task/schema.ts';
import { refused } from './refused.ts';

/** How long the docket that runs it may take to end its agents; then we end them. */
const graceMs = 8_000;
const lookEveryMs = 200;
/** How long it may take to write down their ends. */
const toldMs = 1_000;

/** Gives a task up. When this returns, no agent of it is at work any more, whoever had started it. */
export async function giveUp(
  store: Store,
  where: Project,
  { id, reason: said }: { id: string; reason: string | undefined },
  folderOf: (step: string, n: number) => string,
): Promise<Task> {
  const before = await store.get(id);
  // Settings that cannot be read must not keep anybody from ending their agents.
  const reason = said === undefined ? 'canceled by a person' : await maskWords(where, said);
  const done = await execute(store, { type: 'cancel', id, by: 'user', reason }, { now: iso(where.clock) });
  if (!done.ok) throw refused(done.refusal, id);
  const open = before ? openAttempts(before) : [];
  if (before?.status === 'running') await endedByOthers(open, () => store.get(id));
  for (const { step, n, mark } of atWork(open))
    await adoptProcess({ dir: folderOf(step, n), mark })?.stop('canceled');
  const ended = await endAttempts(store, id, { by: 'user', now: iso(where.clock) });
  return ended ?? done.task;
}

/** The docket that runs it notices within seconds, and then says what its agents have used. */
async function endedByOthers(open: readonly Attempt[], look: () => Promise<Task | undefined>): Promise<void> {
  let gone = 0;
  for (let waited = 0; waited < graceMs && gone < toldMs; waited += lookEveryMs) {
    if (openAttempts((await look()) ?? {}).length === 0) return;
    if (atWork(open).length === 0) gone += lookEveryMs;
    await sleep(lookEveryMs);
  }
}

function atWork(open: readonly Attempt[]): Attempt[] {
  return open.filter(isAtWork);
}
