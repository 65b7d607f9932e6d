/** The file that lists the queue's tasks. Apart from the layout, so that knowing its name does not load its rules. */
export const queueFile = '.takt/tasks.yaml';
