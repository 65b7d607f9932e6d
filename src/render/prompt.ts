/** What agents are told. */

/** For a session that has the task already: it is not sent, and paid for, again. */
export const continuation =
  'Your last turn was interrupted before it ended. Look at what is already done in the work tree, finish the task, and hand back the report as you were asked to.';

/** The work, in the words of who gave it, then what to hand back. A plain program gets the words alone. */
export function workPrompt(task: { title: string; body: string }, contract: string | undefined): string {
  const work = task.body.trim() === '' ? task.title : task.body;
  return contract === undefined ? work : `${work.trimEnd()}\n\n${contract}\n`;
}
