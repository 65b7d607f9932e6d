/** What agents are told. */

/** For a session that has the task already: it is not sent, and paid for, again. */
export const continuation =
  'Your last turn was interrupted before it ended. Look at what is already done in the work tree, finish the task, and hand back the report as you were asked to.';

/** The work, in the words of who gave it. */
export function workPrompt(task: { title: string; body: string }): string {
  return task.body.trim() === '' ? task.title : task.body;
}
