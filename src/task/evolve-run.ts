import { type Attempt, type Called, lastCall } from './attempt.ts';
import type { Gate, Run, StepState } from './run.ts';
import type { Card, Event, EventOf, Task } from './schema.ts';
import type { End, Mark } from './trail-schema.ts';
import { plus, usedBy } from './used.ts';

/** The facts about attempts, steps and gates; all others are about the task itself. */
type RunEvent = EventOf<
  | 'attempt.started'
  | 'attempt.session'
  | 'attempt.ended'
  | 'run.started'
  | 'run.joined'
  | 'step.ended'
  | 'step.reopened'
  | 'gate.opened'
  | 'gate.answered'
>;
type Parts = Pick<Card, 'attempts' | 'run' | 'used'>;

/** What such a fact makes of a task's attempts and run. */
export function runAfter(task: Parts, event: RunEvent): Parts {
  const { run } = task;
  switch (event.type) {
    case 'attempt.started': {
      const { step } = event.data;
      const used = task.attempts?.[step]?.used;
      const before = beforeNext(task, step);
      const begun = {
        ...event.data,
        startedAt: event.at,
        ...(used && { used }),
        ...(before && { before }),
      };
      const attempts = { ...task.attempts, [step]: begun };
      return run && isStep(run, step)
        ? {
            attempts,
            run: unjoined(withState(run, step, event, { state: 'running', ...wordsIn(run.states[step]) })),
          }
        : { attempts };
    }
    case 'attempt.session':
    case 'attempt.ended':
      return attemptAfter(task, event);
    case 'run.started':
      return { run: started(run, event) };
    default:
      return run ? { run: progressed(run, event) } : {};
  }
}

function attemptAfter(task: Parts, event: EventOf<'attempt.session' | 'attempt.ended'>): Parts {
  const { n, step } = event.data;
  const attempt = task.attempts?.[step];
  if (attempt?.n !== n) return {};
  const attempts = (changed: Attempt) => ({ attempts: { ...task.attempts, [step]: changed } });
  if (event.type === 'attempt.session') return attempts({ ...attempt, session: event.data.session });
  const { n: _n, step: _step, report, mark, ...end } = event.data;
  const spent = spentBy(task, attempt, end.uncalled ? undefined : event);
  const { before, ...called } = attempt;
  const ended = attempts({
    ...called,
    ...spent.attempt,
    end: { at: event.at, ...end },
    ...(end.uncalled && before && { before }),
  });
  const counted = task.run && { ...task.run, ...spent.run };
  const run = counted && mark ? trailed(counted, step, event.at, mark) : counted;
  const state = run?.states[step];
  const after = { ...ended, ...spent.task };
  if (!run) return after;
  // Elsewhere the report stays in the journal: a task is read far more often than its history. A run joins them.
  if (!state || !report) return { ...after, run };
  return { ...after, run: { ...run, states: { ...run.states, [step]: { ...state, report } } } };
}

function beforeNext(task: Parts, step: string): Called | undefined {
  const last = lastCall(task, step);
  if (!last) return undefined;
  const { agent, session, end } = last;
  return { agent, ...(session !== undefined && { session }), ...(end && { end }) };
}

type Spent = Pick<Card, 'used'>;

/** What a call that ended adds to the sums of its step, its run and its task. */
function spentBy(
  task: Parts,
  attempt: Attempt,
  event: EventOf<'attempt.ended'> | undefined,
): { attempt: Spent; run: Spent; task: Spent } {
  if (!event) return { attempt: {}, run: {}, task: {} };
  const seconds = (Date.parse(event.at) - Date.parse(attempt.startedAt)) / 1000;
  const used = usedBy(event.data.usage, seconds);
  return {
    attempt: { used: plus(attempt.used, used) },
    run: { used: plus(task.run?.used, used) },
    task: { used: plus(task.used, used) },
  };
}

function started(run: Run | undefined, { data, at }: EventOf<'run.started'>): Run {
  const planner = data.planner ?? run?.planner;
  const before = data.replaces ? undefined : run;
  const workflow = data.workflow ?? run?.workflow;
  return {
    n: data.n,
    goal: data.goal,
    startedAt: run?.startedAt ?? at,
    steps: [...(before?.steps ?? []), ...data.steps],
    rounds: [...(before?.rounds ?? []), before?.steps.length ?? 0],
    orders: [...(before?.orders ?? []), data.orders],
    states: run?.states ?? {},
    gates: run?.gates ?? {},
    ...(planner && { planner }),
    ...(workflow !== undefined && { workflow }),
    ...((data.stopsAtFailure ?? run?.stopsAtFailure) && { stopsAtFailure: true }),
    ...(before?.used && { used: before.used }),
    ...(run?.trail && { trail: run.trail }),
  };
}

function progressed(
  run: Run,
  event: EventOf<'run.joined' | 'step.ended' | 'step.reopened' | 'gate.opened' | 'gate.answered'>,
): Run {
  switch (event.type) {
    case 'run.joined':
      return { ...run, joinedAt: event.at };
    case 'step.ended': {
      const { step, state, reason, chose, mark, report } = event.data;
      const why = {
        ...(reason !== undefined && { reason }),
        ...(chose && { chose }),
        ...(report && { report }),
      };
      const ended = unjoined(withState(run, step, event, { state, ...why }));
      return mark ? trailed(ended, step, event.at, mark, chose?.rule) : ended;
    }
    case 'step.reopened': {
      const { step, unproved } = event.data;
      const words = wordsIn(event.data);
      const counted = unproved ? returned(run, unproved) : run;
      if (words) return unjoined(withState(counted, step, event, { state: 'ready', ...words }));
      const { [step]: _, ...states } = run.states;
      return unjoined({ ...counted, states });
    }
    case 'gate.opened': {
      const { gate, when = event.at, ...facts } = event.data;
      const times = (run.gates[gate]?.times ?? 0) + 1;
      return withGate(run, gate, { ...facts, state: 'blocked', times, blockedAt: when });
    }
    case 'gate.answered':
      return answered(run, event);
  }
}

function returned(run: Run, why: keyof NonNullable<Run['returns']>): Run {
  return { ...run, returns: { ...run.returns, [why]: (run.returns?.[why] ?? 0) + 1 } };
}

function answered(run: Run, { data, at, by }: EventOf<'gate.answered'>): Run {
  const { gate: id, decision, note, choice } = data;
  const gate = run.gates[id];
  if (!gate) return run;
  // What a person says is new: from here on it counts anew.
  const after = withGate(isPerson(by) ? untrailed(run) : run, id, {
    ...gate,
    state: decision,
    resolvedAt: at,
    resolvedBy: by,
    ...(note !== undefined && { note }),
    ...(choice !== undefined && { choice }),
  });
  const state = gate.step === undefined ? undefined : run.states[gate.step];
  if (decision !== 'approved' || gate.step === undefined || state?.state !== 'blocked') return after;
  return withState(after, gate.step, { at }, { state: 'ready', answer: note ?? '' });
}

type Words = Pick<StepState, 'answer' | 'told'>;

/** They count until the step has ended: if we die before its agent has heard them, the next one is told. */
function wordsIn({ answer, told }: Words = {}): Words | undefined {
  if (answer === undefined && told === undefined) return undefined;
  return { ...(answer !== undefined && { answer }), ...(told !== undefined && { told }) };
}

/** What is newer than the last join: it has to be made anew. */
function unjoined({ joinedAt: _, ...run }: Run): Run {
  return run;
}

/** The last report stays until there is a newer one; a reason belongs to the state it came with. */
function withState(run: Run, step: string, { at }: Pick<Event, 'at'>, now: Omit<StepState, 'since'>): Run {
  const report = now.report ?? run.states[step]?.report;
  const state: StepState = { ...now, since: at, ...(report && { report }) };
  return { ...run, states: { ...run.states, [step]: state } };
}

function withGate(run: Run, id: string, gate: Gate): Run {
  return { ...run, gates: { ...run.gates, [id]: gate } };
}

function isStep({ steps }: Run, id: string): boolean {
  return steps.some((step) => step.id === id);
}

/** Enough for three rounds of a workflow whose steps run eight at once. */
const longest = 48;

/** Names under which docket itself writes; everybody else who puts a task back has looked at it. */
const own = /^(?:docket(?:-\d+)?|controller|orchestrator)$/;

export function isPerson(by: string): boolean {
  return !own.test(by);
}

/** A step ended, or a try of it that is made once more. */
export function trailed(run: Run, step: string, at: string, mark: Mark, rule?: number): Run {
  const node = run.steps.find(({ id }) => id === step)?.node ?? step;
  return withEnd(run, { at, node, step, ...mark, ...(rule !== undefined && { rule }) });
}

/**
 * The run of a task that changed hands. Who was to look at a loop has done so; a person who puts a task back wants it
 * tried. What docket puts back by itself goes on counting, and that it died counts too.
 */
export function runAfterMove(
  task: Task,
  event: EventOf<
    'task.started' | 'task.requeued' | 'task.reopened' | 'task.done' | 'task.failed' | 'task.canceled'
  >,
): Run | undefined {
  if (!task.run) return undefined;
  const reason = task.status === 'blocked' ? task.reason : undefined;
  const run = reason?.kind === 'verify' ? unreturned(task.run) : task.run;
  const wasLoop = reason?.kind === 'loop';
  if (event.type === 'task.started') return wasLoop ? untrailed(run) : run;
  if (event.type !== 'task.requeued' || wasLoop) return untrailed(run);
  // A limit that is over is nobody's look at the work, whoever noticed.
  if (reason?.kind === 'limit' || reason?.who === 'docket') return run;
  if (isPerson(event.by)) return untrailed(run);
  return event.data.lost ? died(run, task, event.at) : run;
}

/** A death that cost no call is none of the task's: its agent was at work, and went on. */
function died(run: Run, { attempts = {} }: Task, at: string): Run {
  const calls = Object.values(attempts).reduce((sum, { n }) => sum + n, 0);
  const last = run.trail?.at(-1);
  const isFree = last !== undefined && last.node === undefined && last.calls === calls;
  return isFree ? run : withEnd(run, { at, calls });
}

function untrailed(run: Run): Run {
  const { trail, ...rest } = run;
  return unreturned(trail ? rest : run);
}

function unreturned(run: Run): Run {
  const { returns, ...rest } = run;
  return returns ? rest : run;
}

function withEnd(run: Run, end: End): Run {
  return { ...run, trail: [...(run.trail ?? []).slice(1 - longest), end] };
}
