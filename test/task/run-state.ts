import { isOver, openAttempt, openAttempts } from '../../src/task/allowed.ts';
import type { Command } from '../../src/task/command.ts';
import type { Task } from '../../src/task/schema.ts';

/** What commands about a run may speak of, as the task stands. */
const steps = ['work', 'a', 'b'];

/** The attempt that comes next: of a step without an open one. */
export function nextAttempt(task: Task | undefined) {
  const free = steps.find((step) => !task || !openAttempt(task, step)) ?? `s${task?.rev}`;
  return { step: free, n: (task?.attempts?.[free]?.n ?? 0) + 1 };
}

export function currentAttempt(task: Task | undefined) {
  const open = task && openAttempts(task)[0];
  return { step: open?.step ?? 'work', n: open?.n ?? 1 };
}

export function nextRound(task: Task | undefined) {
  const n = (task?.run?.n ?? 0) + 1;
  const step = (id: string, needs: string[]) => ({
    id: `${id}-${n}`,
    kind: 'work' as const,
    title: id,
    role: 'backend',
    agent: 'fake',
    needs,
  });
  return { n, goal: 'all of it', steps: [step('one', []), step('two', [`one-${n}`])], orders: '{}' };
}

export function finishable(task: Task | undefined): string {
  const { run } = task ?? {};
  return run?.steps.find(({ id }) => task && !isOver(run, id) && !openAttempt(task, id))?.id ?? 'none';
}

export function finished(task: Task | undefined): string {
  const { run } = task ?? {};
  return run?.steps.find(({ id }) => isOver(run, id))?.id ?? 'none';
}

export function closedGate(task: Task | undefined): string {
  return Object.entries(task?.run?.gates ?? {}).find(([, { state }]) => state === 'blocked')?.[0] ?? 'gate-x';
}

export function newGate(task: Task | undefined) {
  const step = task?.run?.steps[0]?.id;
  return {
    gate: `gate-${task?.rev ?? 0}`,
    kind: 'human-approval' as const,
    reason: 'may I?',
    ...(step && { step }),
  };
}

/** Two workers of another tool: one is done, one has a question. */
export function adoption(base: { id: string; by: string }, task: Task | undefined): Command {
  const n = (task?.run?.n ?? 0) + 1;
  const [done, asks] = [`done-${n}`, `asks-${n}`];
  const about = { kind: 'work' as const, title: 't', role: 'r', agent: 'codex-exec', needs: [] };
  return {
    ...base,
    type: 'adopt',
    goal: 'g',
    steps: [done, asks].map((id) => ({ id, ...about, foreign: true as const })),
    ends: [
      { step: done, state: 'done' },
      { step: asks, state: 'blocked', reason: 'which?' },
    ],
    answered: [],
    gates: [{ gate: `gate-${asks}`, kind: 'human-approval', reason: 'which?', step: asks }],
  };
}
