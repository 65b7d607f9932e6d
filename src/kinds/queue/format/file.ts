import type { LazyLayout } from '../../../layout/layout.ts';

/** The file that lists the queue's tasks. Apart from the layout, so that knowing its name does not load its rules. */
export const queueFile = '.takt/tasks.yaml';

export const lazyQueueLayout: LazyLayout = {
  mirror: queueFile,
  load: async () => (await import('./layout.ts')).queueLayout,
};

/** Where what docket saw of a task's work is kept, from the root. */
export function queueEvidence(id: string): string {
  return `.docket/queue/evidence/${id}`;
}
