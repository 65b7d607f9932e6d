import type { Wrong } from '../../../schema/problem.ts';
import type { Command } from '../../../task/command.ts';
import type { Task } from '../../../task/schema.ts';
import { byFile } from './adopt.ts';
import { ownOf } from './own.ts';
import type { TaskFile } from './task-file.ts';
import { stateWord } from './words.ts';

/** Where a changed state leads. Only what a person may decide alone can be written; the rest has a command. */
export function moves(
  task: Task,
  file: TaskFile,
  changed: readonly string[],
  answered: boolean,
): Command[] | Wrong {
  const about = { id: task.id, by: byFile, reason: 'task.yaml was changed' };
  const isFree = changed.includes('gates') && opensLast(task, file);
  if (!changed.includes('state')) return isFree ? [{ type: 'requeue', ...about }] : [];
  if (file.state === 'canceled' && mayCancel(task)) return [{ type: 'cancel', ...about }];
  if (file.state === 'completed' && mayBeMarked(task)) return markedDone(task);
  // An answer lets the task go on by itself, whichever word they chose for that.
  const goesOn = file.state === 'created' || file.state === 'working';
  if (answered && goesOn) return [];
  const waiting = Object.entries(task.run?.gates ?? {}).find(([, { state }]) => state === 'blocked')?.[0];
  const atRest = task.status === 'failed' || task.status === 'blocked';
  if (atRest && waiting === undefined && (file.state === 'created' || (isFree && goesOn))) {
    return [{ type: 'requeue', ...about }];
  }
  return { message: refusal(task, file), fix: fixFor(task, waiting), line: 0, column: 0 };
}

/** Gates that another tool closed are people's to open in the file, which is the only place that knows them. */
function opensLast(task: Task, file: TaskFile): boolean {
  if (task.status !== 'blocked' || task.reason.kind !== 'gate' || task.run) return false;
  const wasBlocked = ownOf(task).gates.some(({ state }) => state === 'blocked');
  return wasBlocked && file.gates.every(({ state }) => state === 'open' || state === 'approved');
}

/** Nobody works on it, and it is not over: a person may call it done. It is shown as not proved. */
function mayBeMarked({ status }: Task): boolean {
  return status === 'queued' || status === 'blocked' || status === 'failed';
}

function markedDone({ id, updatedAt: until }: Task): Command[] {
  const about = { id, by: byFile };
  return [
    { ...about, type: 'start', owner: 'unknown', lease: { kind: 'term', until } },
    { ...about, type: 'settle', verdict: { kind: 'pass' }, summary: '' },
  ];
}

function mayCancel({ status }: Task): boolean {
  return status !== 'done' && status !== 'canceled';
}

function refusal(task: Task, { state }: TaskFile): string {
  return `task ${task.id} is ${stateWord(task)}, and does not become ${state} by a word in this file`;
}

function fixFor(task: Task, waiting: string | undefined): string {
  const back = `Put the state back to ${stateWord(task)}`;
  const { id } = task;
  if (waiting !== undefined) return `${back}; answer with "docket gate approve ${id} ${waiting}".`;
  switch (task.status) {
    case 'done':
    case 'canceled':
      return `${back}; it is final: "docket task create" makes a new one.`;
    case 'running':
    case 'review':
      return `${back}; "docket task cancel ${id}" ends it.`;
    default:
      return `${back}; "docket task run ${id}" does the work, "docket task cancel ${id}" gives it up.`;
  }
}
