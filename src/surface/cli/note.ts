import { deliveryLine } from '../../render/delivery.ts';
import { namedNeed, needsText, unprovedText } from '../../render/unmet.ts';
import type { Task } from '../../task/schema.ts';
import type { Found } from './world.ts';

/** Who has it, or why it stands still. */
export function noteOf(task: Task, waits: Found['waits'], called: ReadonlyMap<string, string>): string {
  switch (task.status) {
    case 'queued': {
      const unmet = (waits[task.id] ?? []).map((need) => namedNeed(need, (id) => called.get(id)));
      return unmet.length > 0 ? `waits for ${needsText(unmet)}` : (task.owner ?? '');
    }
    case 'blocked':
      return task.reason.who === 'docket'
        ? task.reason.text
        : `${task.reason.who} must act: ${task.reason.text}`;
    case 'failed':
      return task.failure.error;
    case 'canceled':
      return task.canceledBecause;
    case 'done':
      // Who had it then is in docket show.
      return [deliveryLine(task), task.unproved ? unprovedText : ''].filter(Boolean).join('; ');
    default:
      return task.owner ?? '';
  }
}
