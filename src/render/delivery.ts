import { failedDelivery } from '../task/delivery.ts';
import type { Task } from '../task/schema.ts';
import { tellingLine } from './telling.ts';

/** `delivery failed: there is no remote "origin"`; undefined: nothing failed. One line. */
export function deliveryLine(task: Pick<Task, 'status' | 'delivery'>): string | undefined {
  const failed = failedDelivery(task);
  return failed && `delivery failed: ${tellingLine(failed.reason)}`;
}
