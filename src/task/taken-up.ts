import type { CommandOf } from './command.ts';
import type { Gate } from './run.ts';
import type { NewEvent, Task } from './schema.ts';

/**
 * What a cancel ended and a person wants after all. A step that had not ended begins anew; where its question is to be
 * asked again, it waits at the same gate with what it had handed in.
 */
export function takenUp({ id, status, run }: Task, { by, reason, steps }: CommandOf<'reopen'>): NewEvent[] {
  if (!run || status !== 'canceled' || steps === undefined) return [];
  const about = { taskId: id, by };
  const given = run.steps.filter((step) => run.states[step.id]?.state === 'canceled');
  return given.flatMap((step): NewEvent[] => {
    const since = run.states[step.id]?.since;
    const [asked] = Object.entries(run.gates).filter(([, gate]) => isShut(gate, step.id, since));
    if (steps === 'anew' || !asked)
      return [{ ...about, type: 'step.reopened', data: { step: step.id, reason } }];
    const [gate, { kind, reason: question, notes }] = asked;
    const opened = { gate, kind, reason: question, step: step.id, ...(notes !== undefined && { notes }) };
    return [
      { ...about, type: 'step.ended', data: { step: step.id, state: 'blocked', reason: question } },
      { ...about, type: 'gate.opened', data: opened },
    ];
  });
}

/** By the cancel that ended its step. An agent that waited there in the middle of its turn is gone. */
function isShut({ state, step, resolvedAt, options }: Gate, of: string, at: string | undefined): boolean {
  return state === 'rejected' && step === of && resolvedAt === at && options === undefined;
}
