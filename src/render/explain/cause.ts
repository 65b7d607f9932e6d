import { openAttempts } from '../../task/allowed.ts';
import { failedDelivery } from '../../task/delivery.ts';
import type { NamedNeed } from '../../task/needs.ts';
import { isRejected, rejectedStep, rejectedSteps } from '../../task/rejected.ts';
import type { Task, TaskOf } from '../../task/schema.ts';
import { interruptedText, isLost, needsText, unprovedText } from '../unmet.ts';
import type { Cause } from './types.ts';

/** Why a task is as it is, in one sentence and whose turn it is. `idle`: why no run takes it up while it is queued. */
export function causeOf(task: Task, waits: readonly NamedNeed[] = [], idle?: string): Cause {
  switch (task.status) {
    case 'queued':
      return queuedCause(task, waits, idle);
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

function queuedCause(task: Task, waits: readonly NamedNeed[], idle: string | undefined): Cause {
  const { owner, run } = task;
  if (waits.length > 0) {
    const who = waits.some(isLost) ? 'a person' : 'docket';
    return { kind: 'dependency', text: `it waits for ${needsText(waits)}`, who };
  }
  if (owner !== undefined)
    return { kind: 'queued', text: `${owner} has claimed it and has not begun`, who: owner };
  if (idle !== undefined) return { kind: 'queued', text: idle, who: 'a person' };
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
