import type { FailedDelivery } from './delivery.ts';
import type { Task } from './schema.ts';

/** Undefined: it is not done, or its work is where it was asked for. */
export function failedDelivery({
  status,
  delivery,
}: Pick<Task, 'status' | 'delivery'>): FailedDelivery | undefined {
  return status === 'done' && delivery?.state === 'failed' ? delivery : undefined;
}
