import { clip } from '../../../report/clip.ts';
import { problemLines } from '../../../schema/problem.ts';
import type { Actions } from './actions-schema.ts';
import { checkActions, jsonInAnswer } from './actions.ts';
import type { Known } from './references.ts';

/** What a planner may answer: what to do next, or that there is nothing left to do. */
export type Plan = { kind: 'actions'; actions: Actions } | { kind: 'done'; summary: string };

const maxSummary = 2000;

/** The planner's answer: its text, or what its vendor handed over as structured. */
export function readPlan(answer: unknown, known: Known): { plan: Plan } | { problem: string } {
  const read = typeof answer === 'string' ? jsonInAnswer(answer) : { value: answer };
  if ('problem' in read) return { problem: problemLines([read.problem]).join('') };
  if (!isRecord(read.value)) return { problem: '$: must be a JSON object' };
  const { done, summary, ...document } = filled(read.value);
  if (done === true) return finished(summary, document['tasks']);
  if (done !== undefined && done !== false) return { problem: '$.done: must be true or false' };
  const checked = checkActions({ ...document, ...withTasks(document['tasks']) }, known);
  if ('actions' in checked) return { plan: { kind: 'actions', actions: checked.actions } };
  return { problem: problemLines(checked.problems).join('\n') };
}

function finished(summary: unknown, tasks: unknown): { plan: Plan } | { problem: string } {
  if (Array.isArray(tasks) && tasks.length > 0) {
    return { problem: '$.tasks: there are subtasks, and done is true: it is one or the other' };
  }
  if (typeof summary !== 'string' || summary.trim() === '') {
    return { problem: '$.summary: is missing: say in 1 to 3 sentences what was reached' };
  }
  return { plan: { kind: 'done', summary: clip(summary.trim(), maxSummary) } };
}

function withTasks(tasks: unknown): { tasks?: unknown } {
  return Array.isArray(tasks)
    ? { tasks: tasks.map((task: unknown) => (isRecord(task) ? filled(task) : task)) }
    : {};
}

/** Where every field has to be there, null and an empty text stand for one that is not. */
function filled(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null && value !== ''));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
