import { compareIds } from '../../task/id.ts';
import { clip, countLetters, oneLine } from './clip.ts';
import type { TaskView } from './outcome.ts';
import { type Locale, wordsOf } from './words.ts';

const told = new Set(['done', 'review', 'blocked']);
const longestMessage = 1200;

/** What came of the work, a line per task. About one task: that one and what is related to it. */
export function synthesisReport(tasks: Iterable<TaskView>, taskId?: string): string {
  const chosen = [...tasks].filter((task) =>
    taskId === undefined
      ? told.has(task.status) || task.relatedTo !== null
      : task.taskId === taskId || task.relatedTo === taskId,
  );
  const lines = chosen.toSorted((a, b) => compareIds(a.taskId, b.taskId)).map(lineOf);
  return [
    'SYNTHESIS REPORT',
    ...(lines.length === 0 ? ['- no completed/review/blocked tasks found'] : lines),
  ].join('\n');
}

function lineOf({ taskId, status, owner, relatedTo, result, review, blockedReason }: TaskView): string {
  const related = relatedTo === null ? '' : ` relatedTo=${relatedTo}`;
  // A task that was done, and is blocked again, has its old result still.
  const isStuck = status === 'blocked' || status === 'failed';
  const detail = (isStuck ? [blockedReason, result, review] : [result, review, blockedReason])
    .map((text) => oneLine(text ?? ''))
    .find((text) => text !== '');
  return `- ${taskId} [${status}] owner=${oneLine(owner ?? '') || '-'}${related} :: ${detail ?? '(no detail)'}`;
}

/** The report as a message: as many whole lines as there is room for. */
export function synthesisMessage(report: string, locale: Locale = 'zh'): string {
  const lines = report.split('\n');
  const kept: string[] = [];
  let room = longestMessage - '[TASK] '.length - 40; // 40 for the line that says how much was left out
  for (const line of lines.map((whole) => clip(whole, 300))) {
    room -= countLetters(line) + 1;
    if (room < 0) break;
    kept.push(line);
  }
  const left = lines.length - kept.length;
  return `[TASK] ${[...kept, ...(left === 0 ? [] : [wordsOf(locale).more(left)])].join('\n')}`;
}
