import { isHeld, isOver } from './allowed.ts';
import type { CommandOf } from './command.ts';
import { type Decision, illegal, no } from './refusal.ts';
import type { Gate } from './run.ts';
import type { NewEvent, Task } from './schema.ts';

/** What another tool began becomes part of a task that nobody works on. */
export function adopt(task: Task, command: CommandOf<'adopt'>): Decision {
  if (isHeld(task)) return illegal(task, 'adopted');
  const { run } = task;
  const known = new Set(run?.steps.map(({ id }) => id));
  const twice = command.steps.find(({ id }) => known.has(id));
  if (twice) return no('exists', task, `there is a step ${twice.id} already`, { step: twice.id });
  const about = { taskId: task.id, by: command.by };
  const fact = (event: Pick<NewEvent, 'type' | 'data'>) => ({ ...about, ...event }) as NewEvent;
  const { goal, steps } = command;
  const ends = command.ends.filter(({ step }) => !run || !isOver(run, step));
  const late = ends.filter(({ step, state }) => known.has(step) && state !== 'blocked');
  const gates = command.gates.filter(({ gate }) => run?.gates[gate]?.state !== 'blocked');
  const asked = gates.filter(({ step }) => step === undefined || !command.answered.includes(step));
  const closed = late.flatMap(({ step }) =>
    Object.entries(run?.gates ?? {}).flatMap(([gate, facts]) =>
      facts.state === 'blocked' && facts.step === step ? [gate] : [],
    ),
  );
  const events: NewEvent[] = [
    ...(steps.length > 0 || !run
      ? [fact({ type: 'run.started', data: { n: (run?.n ?? 0) + 1, goal, steps, orders: '{}' } })]
      : []),
    ...ends.map((data) => fact({ type: 'step.ended', data })),
    ...command.answered.map((step) =>
      fact({ type: 'step.reopened', data: { step, reason: 'answered in task.yaml', answer: '' } }),
    ),
    ...asked.map((data) => fact({ type: 'gate.opened', data })),
    ...closed.map((gate): NewEvent => {
      const data = { gate, decision: 'approved' as const, note: 'another tool wrote its result' };
      return { ...about, by: 'docket', type: 'gate.answered', data };
    }),
    ...moved(task, asked, closed).map(fact),
  ];
  return { ok: true, events };
}

/** An open question blocks the task; the last one that is closed frees it. */
function moved(
  task: Task,
  asked: CommandOf<'adopt'>['gates'],
  closed: readonly string[],
): Pick<NewEvent, 'type' | 'data'>[] {
  if (asked.length > 0 && task.status === 'queued') {
    const text = asked
      .map(({ gate, reason }) => `${gate}: ${reason}`)
      .join('\n')
      .slice(0, 8000);
    return [{ type: 'task.blocked', data: { reason: { kind: 'gate', text, who: 'a person' } } }];
  }
  const waits = Object.entries(task.run?.gates ?? {}).some(
    ([gate, { state }]) => state === 'blocked' && !closed.includes(gate),
  );
  const isFree = closed.length > 0 && asked.length === 0 && !waits;
  if (!isFree || task.status !== 'blocked' || task.reason.kind !== 'gate') return [];
  return [{ type: 'task.requeued', data: { reason: 'another tool finished what it waited for' } }];
}

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
