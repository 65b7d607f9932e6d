import type { LazyLayout } from '../../../layout/layout.ts';

/** The file that lists the queue's tasks. Apart from the layout, so that knowing its name does not load its rules. */
export const queueFile = '.takt/tasks.yaml';

export const lazyQueueLayout: LazyLayout = {
  mirror: queueFile,
  load: async () => (await import('./layout.ts')).queueLayout,
};

/** Settings of the tool that the queue's format comes from. */
export const taktFiles = ['.takt/agents.yaml', '.takt/debug.yaml'] as const;
