import { openAttempts } from '../../task/allowed.ts';
import type { NamedNeed } from '../../task/needs.ts';
import { isRejected, rejectedStep, rejectedSteps } from '../../task/rejected.ts';
import type { Task, TaskOf } from '../../task/schema.ts';
import { failedDelivery } from '../../task/undelivered.ts';
import { interruptedText, isLost, needsText, unprovedText } from '../unmet.ts';
import type { Cause, TaskKind } from './types.ts';

/** Why a task is as it is, in one sentence and whose turn it is. `ordered`: a run takes a task of the board up. */
export function causeOf(
  task: Task,
  waits: readonly NamedNeed[] = [],
  kind?: TaskKind,
  ordered = task.run !== undefined,
): Cause {
  switch (task.status) {
    case 'queued':
      return queuedCause(task, waits, kind, ordered);
    case 'running':
    case 'review': {
      const since = `since ${task.startedAt}`;
      if (task.status === 'review')
        return {
          kind: 'review',
          text: `${task.owner} has handed it in, and somebody else has to look at it`,
          who: 'a reviewer',
        };
      return { kind: 'running', text: `${task.owner} is at work on it ${since}`, who: task.owner };
    }
    case 'blocked': {
      const { kind, text, who, resumesAt } = task.reason;
      return { kind, text, who, ...(resumesAt !== undefined && { resumesAt }) };
    }
    case 'done': {
      const failed = failedDelivery(task);
      if (failed)
        return { kind: 'delivery', text: `done, delivery failed: ${failed.reason}`, who: 'a person' };
      return { kind: 'done', text: doneText(task) };
    }
    case 'failed': {
      const { error, step, lastMessage } = task.failure;
      if (isRejected(task)) return { kind: 'rejected', text: notWanted(task) };
      const at = step === undefined ? '' : `step ${step}: `;
      const said = lastMessage === undefined ? '' : `\nIt said: ${lastMessage}`;
      return { kind: 'failed', text: `${at}${error}${said}`, who: 'a person' };
    }
    case 'canceled':
      return { kind: 'canceled', text: task.canceledBecause };
  }
}

function doneText({ summary, unproved }: TaskOf<'done'>): string {
  const said = summary.trim();
  if (!unproved) return said || 'it is done';
  return said === '' ? unprovedText : `${unprovedText}: ${said}`;
}

function notWanted({ run }: Task): string {
  const said = rejectedSteps(run).map(({ step, reason }) => `${step.id} was ${reason}`);
  return `${said.join('; ')}. Nothing takes it up again unless somebody says that it is wanted after all`;
}

function queuedCause(task: Task, waits: readonly NamedNeed[], kind?: TaskKind, ordered = true): Cause {
  const { owner, run } = task;
  if (waits.length > 0) {
    const who = waits.some(isLost) ? 'a person' : 'docket';
    return { kind: 'dependency', text: `it waits for ${needsText(waits)}`, who };
  }
  if (owner !== undefined)
    return { kind: 'queued', text: `${owner} has claimed it and has not begun`, who: owner };
  if (kind === 'task' && !run)
    return { kind: 'queued', text: 'nothing was ordered for it yet', who: 'a person' };
  // A run takes what is ordered; a task of the board is not, until somebody takes it or is given it.
  if (kind === 'board' && !ordered && openAttempts(task).length === 0) {
    const text =
      'nobody has claimed it, and it was given to nobody: a run takes it only while board autopilot is on';
    return { kind: 'queued', text, who: 'a person' };
  }
  const no = rejectedStep(run);
  if (no)
    return {
      kind: 'queued',
      text: `${no.step.id} was ${no.reason}; the rest goes on, and then it fails`,
      who: 'docket',
    };
  const [left] = openAttempts(task);
  if (left) return { kind: 'crash', text: interruptedText(left), who: 'a person' };
  return { kind: 'queued', text: 'it waits for its turn', who: 'docket' };
}
