import type { Attempt } from '../task/attempt.ts';
import type { Chose } from '../task/run.ts';
import type { Task } from '../task/schema.ts';

/** One step of a task and what became of it. */
export interface StepDetails {
  step: string;
  title: string;
  state: string;
  agent: string;
  attempt?: number;
  startedAt?: string;
  seconds?: number;
  usage?: NonNullable<NonNullable<Attempt['end']>['usage']>;
  /** The rule that says what follows. */
  chose?: Chose;
  /** What was said about it last. */
  said: string;
}

export function stepsOf(task: Task): StepDetails[] {
  const { run, attempts = {} } = task;
  // A task that was worked on without a workflow has attempts only.
  if (!run) {
    return Object.values(attempts).map((attempt) => ({
      step: attempt.step,
      title: attempt.step,
      state: attempt.end?.outcome ?? 'running',
      said: attempt.end?.error?.message ?? '',
      ...attemptOf(attempt),
    }));
  }
  return run.steps.map(({ id, title, agent }) => {
    const state = run.states[id];
    const summary = state?.report?.['summary'];
    const attempt = attempts[id];
    return {
      step: id,
      title,
      agent,
      state: state?.state ?? 'waiting',
      said: state?.reason ?? (typeof summary === 'string' ? summary : ''),
      ...(state?.chose && { chose: state.chose }),
      ...(attempt && attemptOf(attempt)),
    };
  });
}

function attemptOf({ n, agent, startedAt, end }: Attempt) {
  const seconds = end && (Date.parse(end.at) - Date.parse(startedAt)) / 1000;
  return {
    agent,
    attempt: n,
    startedAt,
    ...(seconds !== undefined && { seconds }),
    ...(end?.usage && { usage: end.usage }),
  };
}
