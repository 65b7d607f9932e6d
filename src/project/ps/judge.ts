import { openAttempts } from '../../task/allowed.ts';
import type { Task } from '../../task/schema.ts';
import { kindNamed } from '../tasks/kinds.ts';
import { nextOf } from '../tasks/next.ts';
import type { FoundTask } from './tasks.ts';
import type { Layout, Whose } from './whose.ts';

/** Whether somebody runs it. A stray is one that nobody will see the end of, unless a docket takes it up. */
export type Judged =
  | { state: 'running' }
  | { state: 'stray'; why: string; goOn?: string }
  /** Nobody can say, so it is left alone. */
  | { state: 'suspect'; why: string };

/** `held`: a docket that lives is its parent. */
export function judgeFamily(
  { layout, task: id, command }: Whose,
  mark: string,
  found: FoundTask,
  held: boolean,
): Judged {
  if (command !== undefined)
    return held ? { state: 'running' } : { state: 'stray', why: 'the docket that ran it is gone' };
  if ('problem' in found) return { state: 'suspect', why: `its task cannot be read: ${found.problem}` };
  const { task } = found;
  if (!task) return { state: 'stray', why: 'its task is gone' };
  if (!openAttempts(task).some((one) => one.mark === mark))
    return { state: 'stray', why: 'its attempt has ended' };
  if (isRun(task)) return { state: 'running' };
  const goOn = task.status === 'queued' ? takesUp(layout, id ?? '', task) : undefined;
  const why = `its task is ${task.status}, and no docket runs it`;
  return { state: 'stray', why, ...(goOn !== undefined && { goOn }) };
}

function isRun({ status, removedAt }: Task): boolean {
  return removedAt === undefined && (status === 'running' || status === 'review');
}

/** A name that needs no quotes: people copy the command. */
const plain = /^\w[\w.-]*$/;

/** What goes on with it instead. */
function takesUp(layout: Layout | undefined, id: string, task: Task): string | undefined {
  if (layout === undefined) return undefined;
  const called = kindNamed(layout).callName?.(task) ?? id;
  const name = plain.test(called) ? called : id;
  return ['docket', ...nextOf(layout).goOn(name)].join(' ');
}
