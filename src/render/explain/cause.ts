import type { UnmetNeed } from '../../task/needs.ts';
import type { Task } from '../../task/schema.ts';
import type { Cause } from './types.ts';

/** Why a task is as it is, in one sentence and whose turn it is. */
export function causeOf(task: Task, waits: readonly UnmetNeed[] = []): Cause {
  switch (task.status) {
    case 'queued': {
      const [need] = waits;
      if (!need) return { kind: 'queued', text: 'it waits for its turn', who: 'docket' };
      const names = waits.map(({ on, status }) => `${on} (${status})`).join(', ');
      return { kind: 'dependency', text: `it waits for ${names}`, who: 'docket' };
    }
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
    case 'done':
      return { kind: 'done', text: task.summary.trim() || 'it is done' };
    case 'failed': {
      const { error, step, lastMessage } = task.failure;
      const at = step === undefined ? '' : `step ${step}: `;
      const said = lastMessage === undefined ? '' : `\nIt said: ${lastMessage}`;
      return { kind: 'failed', text: `${at}${error}${said}`, who: 'a person' };
    }
    case 'canceled':
      return { kind: 'canceled', text: task.canceledBecause };
  }
}
