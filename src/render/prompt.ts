/** What agents are told. */
import { fencedWork } from './fence.ts';

/** For a session that has the task already: it is not sent, and paid for, again. */
export const continuation =
  'Your last turn was interrupted before it ended. Look at what is already done in the work tree, finish the task, and hand back the report as you were asked to.';

/** The work, in the words of who gave it. `author`: it was somebody whom nobody vouches for. */
export function workPrompt({
  title,
  body,
  author,
}: {
  title: string;
  body: string;
  author?: string;
}): string {
  const work = body.trim() === '' ? title : body;
  return author === undefined ? work : `${fencedWork(work, author)}\n`;
}
