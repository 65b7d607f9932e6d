import { isHeld, isOver, openAttempt } from './allowed.ts';
import type { CommandOf } from './command.ts';
import { answerProof } from './decide-proof.ts';
import { findCycle } from './needs.ts';
import { isProofQuestion } from './proof-question.ts';
import { illegal, no, yes, type Decision } from './refusal.ts';
import { endsIt, failedIn, whyFailed } from './rejected.ts';
import type { Run, Step } from './run.ts';
import type { Task } from './schema.ts';
import { isFinal } from './status.ts';

type RunCommand = CommandOf<
  'begin' | 'session' | 'end' | 'dispatch' | 'finish' | 'redo' | 'join' | 'ask' | 'answer'
>;

/** Yes or no to what is said about a task's attempts, steps and gates. Only an answer comes from outside the run. */
export function decideRun(task: Task, command: RunCommand): Decision {
  if (command.type === 'answer') return answer(task, command);
  if (command.type === 'end' && !isHeld(task)) return attempt(task, command);
  if (command.type === 'join' && isFinal(task.status)) return join(task, command);
  if (task.status !== 'running') return illegal(task, words[command.type]);
  switch (command.type) {
    case 'dispatch':
      return dispatch(task, command);
    case 'finish':
      return finish(task, command);
    case 'redo':
      return redo(task, command);
    case 'ask':
      return ask(task, command);
    case 'join':
      return join(task, command);
    default:
      return attempt(task, command);
  }
}

const words = {
  begin: 'attempted',
  session: 'attempted',
  end: 'attempted',
  dispatch: 'given steps',
  finish: 'worked on',
  redo: 'worked on',
  ask: 'held at a gate',
  join: 'joined',
} as const;

/** Attempts of a step follow each other: the next one begins when the last one has ended, so none runs twice. */
function attempt(task: Task, command: CommandOf<'begin' | 'session' | 'end'>): Decision {
  const { type, id: _id, by: _by, token: _token, ...data } = command;
  const open = openAttempt(task, command.step);
  const next = (task.attempts?.[command.step]?.n ?? 0) + 1;
  if (type === 'begin' ? open !== undefined || command.n !== next : command.n !== open?.n) {
    const state = open === undefined ? `the next is ${next}` : `attempt ${open.n} is open`;
    const what = `attempt ${command.n} of step ${command.step} of task ${task.id}`;
    return no('illegal', task, `${what} cannot ${type}: ${state}`, { n: command.n, open: open?.n ?? null });
  }
  return yes(task, command, { type: attemptEvents[type], data });
}

const attemptEvents = { begin: 'attempt.started', session: 'attempt.session', end: 'attempt.ended' } as const;

function dispatch(task: Task, command: CommandOf<'dispatch'>): Decision {
  const { type: _, id: _id, by: _by, token: _token, ...data } = command;
  const next = (task.run?.n ?? 0) + 1;
  if (data.n !== next) {
    return no('illegal', task, `round ${data.n} of task ${task.id} cannot begin: the next is ${next}`, {
      next,
    });
  }
  const problem = stepProblem(data.replaces ? undefined : task.run, data.steps);
  if (problem) return no(problem.code, task, problem.message, problem.data);
  return yes(task, command, { type: 'run.started', data });
}

/** Steps are known by their ids for the task's whole life, and may need only what is known. */
function stepProblem(run: Run | undefined, added: readonly Step[]) {
  const known = new Set(run?.steps.map(({ id }) => id));
  for (const { id } of added) {
    if (known.has(id)) {
      return { code: 'exists', message: `there is a step ${id} already`, data: { step: id } } as const;
    }
    known.add(id);
  }
  for (const { id, needs } of added) {
    const missing = needs.find((need) => !known.has(need));
    if (missing !== undefined) {
      const message = `step ${id} needs ${missing}, which does not exist`;
      return { code: 'unknown-need', message, data: { step: id, need: missing } } as const;
    }
  }
  const steps = new Map(added.map((step) => [step.id, step]));
  for (const { id, needs } of unreachable(added)) {
    const cycle = findCycle(steps, id, needs);
    if (!cycle) continue;
    const message = `these steps would wait for each other: ${cycle.slice(0, 20).join(' → ')}`;
    return { code: 'cycle', message, data: { cycle } } as const;
  }
  return undefined;
}

/** The steps that could never begin: only among them is a circle to be looked for. */
function unreachable(added: readonly Step[]): readonly Step[] {
  const ids = new Set(added.map(({ id }) => id));
  const open = new Map(added.map(({ id, needs }) => [id, needs.filter((need) => ids.has(need)).length]));
  const waiting = new Map<string, string[]>();
  for (const { id, needs } of added) {
    for (const need of needs) {
      const others = waiting.get(need);
      if (others) others.push(id);
      else waiting.set(need, [id]);
    }
  }
  const ready = added.filter(({ id }) => open.get(id) === 0).map(({ id }) => id);
  for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
    ids.delete(next);
    for (const id of waiting.get(next) ?? []) {
      const left = (open.get(id) ?? 0) - 1;
      open.set(id, left);
      if (left === 0) ready.push(id);
    }
  }
  return added.filter(({ id }) => ids.has(id));
}

function finish(task: Task, command: CommandOf<'finish'>): Decision {
  const { step, state, reason, chose, mark, report } = command;
  if (!task.run?.steps.some(({ id }) => id === step)) return noStep(task, step);
  const over = isOver(task.run, step);
  if (over || openAttempt(task, step)) {
    const why = over ? `it is ${task.run.states[step]?.state} already` : 'an attempt of it is open';
    return no('illegal', task, `step ${step} of task ${task.id} cannot end: ${why}`, { step });
  }
  const data = {
    step,
    state,
    ...(reason !== undefined && { reason }),
    ...(chose && { chose }),
    ...(mark && { mark }),
    ...(report && { report }),
  };
  return yes(task, command, { type: 'step.ended', data });
}

/** What is over is to be done once more: it goes on with what it is told, or begins as if it never had. */
function redo(task: Task, command: CommandOf<'redo'>): Decision {
  const { type: _, id: _id, by: _by, token: _token, ...data } = command;
  const { step } = data;
  if (!task.run?.steps.some(({ id }) => id === step)) return noStep(task, step);
  if (!isOver(task.run, step)) {
    return no('illegal', task, `step ${step} of task ${task.id} is not over: it goes on by itself`, { step });
  }
  return yes(task, command, { type: 'step.reopened', data });
}

function join(task: Task, command: CommandOf<'join'>): Decision {
  return task.run ? yes(task, command, { type: 'run.joined', data: {} }) : noRun(task);
}

function ask(task: Task, command: CommandOf<'ask'>): Decision {
  const { type: _, id: _id, by: _by, token: _token, ...data } = command;
  if (!task.run) return noRun(task);
  if (task.run.gates[data.gate]?.state === 'blocked') {
    const message = `gate ${data.gate} of task ${task.id} is closed already`;
    return no('illegal', task, message, { gate: data.gate });
  }
  return yes(task, command, { type: 'gate.opened', data });
}

/**
 * A person's word about a closed gate, once. A rejected step is over, and so is its task where nothing else is left; when
 * the last closed gate of a task that waits for them is answered otherwise, the task may be taken up again.
 */
function answer(task: Task, command: CommandOf<'answer'>): Decision {
  const { gate: id, decision, note, choice, times } = command;
  const gate = task.run?.gates[id];
  if (!task.run || !gate) {
    const known = Object.keys(task.run?.gates ?? {});
    const has = known.length > 0 ? `it has ${known.join(', ')}` : 'it has none';
    return no('not-found', task, `task ${task.id} has no gate ${id}: ${has}`, { gate: id, gates: known });
  }
  if (gate.state !== 'blocked') {
    const message = `gate ${id} of task ${task.id} was ${gate.state} already, by ${gate.resolvedBy ?? 'somebody'}`;
    return no('illegal', task, message, { gate: id, state: gate.state });
  }
  if (times !== undefined && times !== gate.times) {
    const message = `this answer is for an earlier time that gate ${id} of task ${task.id} was closed`;
    return no('illegal', task, message, { gate: id, times: gate.times });
  }
  if (choice !== undefined && !gate.options?.some((option) => option.id === choice)) {
    const options = gate.options?.map((option) => option.id) ?? [];
    return no('invalid', task, `gate ${id} of task ${task.id} has no option ${choice}`, {
      gate: id,
      options,
    });
  }
  if (isProofQuestion(gate)) return answerProof(task, command, gate);
  const data = {
    gate: id,
    decision,
    ...(note !== undefined && { note }),
    ...(choice !== undefined && { choice }),
  };
  const answered = yes(task, command, { type: 'gate.answered', data });
  if (!answered.ok) return answered;
  const { by } = command;
  const { step } = gate;
  if (decision === 'rejected' && step !== undefined && task.run.states[step]?.state === 'blocked') {
    const reason = (note === undefined ? `rejected by ${by}` : `rejected by ${by}: ${note}`).slice(0, 2000);
    const about = { taskId: task.id, by };
    answered.events.push({ ...about, type: 'step.ended', data: { step, state: 'failed', reason } });
    if (endsIt(task, id)) {
      answered.events.push(
        { ...about, type: 'run.joined', data: {} },
        { ...about, type: 'task.failed', data: { failure: failureBy(task.run, step, reason) } },
      );
      return answered;
    }
  }
  const waits = Object.entries(task.run.gates).some(
    ([other, { state }]) => other !== id && state === 'blocked',
  );
  if (!waits && task.status === 'blocked' && task.reason.kind === 'gate') {
    const reason = `gate ${id} was ${decision} by ${by}`;
    answered.events.push({ type: 'task.requeued', taskId: task.id, by, data: { reason } });
  }
  return answered;
}

/** What failed by itself beside it is still to be mended, and is named with it. */
function failureBy(run: Run, step: string, reason: string): { step?: string; error: string } {
  const title = run.steps.find(({ id }) => id === step)?.title ?? step;
  const others = failedIn(run);
  if (others.length === 0) return { step: title, error: reason };
  return { error: `${step}: ${reason}; ${whyFailed(run, others)}` };
}

function noRun(task: Task): Decision {
  return no('illegal', task, `task ${task.id} has no run: its steps were never ordered`, {});
}

function noStep(task: Task, step: string): Decision {
  return no('not-found', task, `task ${task.id} has no step ${step}`, { step });
}
