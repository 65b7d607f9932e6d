import path from 'node:path';
import type { SessionWish, Usage } from '../adapter/adapter.ts';
import { adoptProcess } from '../io/process/adopt.ts';
import { continuation } from '../render/prompt.ts';
import { openAttempt } from '../task/allowed.ts';
import type { Attempt } from '../task/attempt.ts';
import type { StepOptions } from './step.ts';

interface Takeover {
  prompt: string;
  session: SessionWish;
  usedBefore?: Usage;
  adopt?: { n: number; mark: string };
}

/**
 * What an earlier docket left of this step. A process that ended is read, one that still works is followed, what cannot
 * be read afterwards is ended and its session continued. Undefined: there is nothing to go on with.
 */
export async function resumeSafely(options: StepOptions): Promise<Takeover | undefined> {
  const { agent, recorder, step, attemptsDir } = options;
  const { attempt, task } = recorder;
  if (!attempt || attempt.step !== step || attempt.agent !== agent.name) {
    await endStray(options, attempt);
    return undefined;
  }
  const open = openAttempt(task);
  if (!open) return continued(options, attempt);
  const session: SessionWish =
    open.session === undefined ? { kind: 'new' } : { kind: 'resume', id: open.session };
  const dir = path.join(attemptsDir, task.id, String(open.n));
  // A conversation in which we had to answer cannot be read afterwards.
  if (agent.adapter.capabilities.replays && !agent.approvals) {
    if (adoptProcess({ dir, mark: open.mark })) {
      return { prompt: '', session, adopt: { n: open.n, mark: open.mark } };
    }
    await recorder.lost(open.n); // it never started: there is no conversation to continue
    return undefined;
  }
  await endStray(options, open);
  return continued(options, open);
}

/** Work that was put back into the queue goes on where it was, if its last attempt was cut short. */
function continued({ agent }: StepOptions, attempt: Attempt): Takeover | undefined {
  const { session, end } = attempt;
  const cutShort = end === undefined || end.outcome === 'stopped' || end.outcome === 'failed';
  if (!agent.adapter.capabilities.resume || session === undefined || !cutShort || end?.poisoned)
    return undefined;
  return {
    prompt: continuation,
    session: { kind: 'resume', id: session },
    ...(end?.sessionUsage && { usedBefore: end.sessionUsage }),
  };
}

/** An attempt of another agent, or one that cannot be read afterwards: nothing of it may go on working. */
async function endStray({ recorder, attemptsDir }: StepOptions, attempt: Attempt | undefined): Promise<void> {
  if (!attempt || attempt.end) return;
  const dir = path.join(attemptsDir, recorder.task.id, String(attempt.n));
  const process = adoptProcess({ dir, mark: attempt.mark });
  await process?.stop('canceled');
  await recorder.lost(attempt.n);
}
