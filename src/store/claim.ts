import type { Command } from '../task/command.ts';
import { decide } from '../task/decide.ts';
import { pick } from '../task/pick.ts';
import type { ProcessLease, Task, TaskOf } from '../task/schema.ts';
import type { ClaimRequest, Outcome, Tx } from './backend.ts';
import type { Ledger } from './ledger.ts';

export type Commit = (tx: Tx) => Outcome;

/** Decides a command on the ledger as it is this moment and commits it: for callers who hold the lock. */
export function applyNow(
  ledger: Ledger,
  commands: readonly Command[],
  now: string,
  commit: Commit,
): string | undefined {
  for (const command of commands) {
    const decision = decide(ledger, command, now);
    if (!decision.ok) return decision.refusal.message;
    commit({ events: decision.events, expect: {} });
  }
  return undefined;
}

/** Work whose process is gone goes back to the queue, with the reason in the journal. */
export function freeDead(ledger: Ledger, isDead: (task: Task) => boolean, now: string, commit: Commit): void {
  for (const task of Array.from(ledger.active())) {
    if (!isDead(task)) continue;
    const reason = `its worker ${task.owner ?? ''} is gone`;
    const gone: Command = { type: 'requeue', id: task.id, by: 'docket', reason };
    // The lifecycle has no way from review to queued: what was handed in stays handed in, for somebody to judge.
    if (task.status === 'running') applyNow(ledger, [gone], now, commit);
  }
}

/** Starts what is next. `take` gets the run's own lock; without it the task is somebody's and stays. */
export function startNext(
  ledger: Ledger,
  request: ClaimRequest,
  lease: ProcessLease,
  now: string,
  take: (id: string) => boolean,
  commit: Commit,
): TaskOf<'running'>[] {
  const { owner, only } = request;
  const among = only === undefined ? ledger.active() : only.flatMap((id) => ledger.get(id) ?? []);
  const started: TaskOf<'running'>[] = [];
  for (const task of pick(ledger, among, { ...request.conditions, now }, request.max)) {
    if (!take(task.id)) continue;
    applyNow(ledger, [{ type: 'start', id: task.id, by: owner, owner, lease }], now, commit);
    const running = ledger.get(task.id);
    if (running?.status === 'running') started.push(running);
  }
  return started;
}
