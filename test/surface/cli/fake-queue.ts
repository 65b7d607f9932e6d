import { DocketError } from '../../../src/errors.ts';
import type { QueueTasks } from '../../../src/kinds/queue/api.ts';

/** A queue that knows no task: what commands about other tasks find when they look here first. */
export const emptyQueue: QueueTasks = {
  show: async (ref) => {
    throw new DocketError('NOT_FOUND', `there is no task "${ref}"`, 'see docket list', { ref });
  },
  act: async () => [],
  gates: async (ref) => (ref === undefined ? [] : undefined),
  answer: async () => undefined,
};
