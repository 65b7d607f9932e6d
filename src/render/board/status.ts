import { compareIds } from '../../task/id.ts';
import { clip, countLetters, oneLine } from './clip.ts';
import { labelOf, personOf } from './notice.ts';
import type { Summary, TaskView } from './outcome.ts';
import { type Locale, type Words, wordsOf } from './words.ts';

const order = ['pending', 'claimed', 'in_progress', 'review', 'done', 'blocked', 'failed'];
const short = { shown: 3, title: 18, note: 12, total: 500 };
const long = { shown: 6, title: 28, note: 20, total: 1200 };

/** Branch, commands and exit codes stand behind the agent's own words. */
const longestResult = 500;

/** How the board stands, in three lines: the counts, what is stuck, what is next. */
export function statusSummary(summary: Summary, locale: Locale = 'zh', full = false): string {
  const words = wordsOf(locale);
  const widths = full ? long : short;
  const item = (task: TaskView, note: string): string =>
    words.summary.item(task.taskId, clip(task.title, widths.title), clip(note, widths.note));
  const blocked = summary.blocked
    .slice(0, widths.shown)
    .map((task) => item(task, task.blockedReason ?? words.summary.unsaid));
  const open = summary.open
    .slice(0, widths.shown)
    .map((task) => item(task, personOf(task.owner ?? task.assigneeHint, words)));
  const head = summaryHead(summary.counts, words);
  for (;;) {
    const text = [
      head,
      `${words.summary.blockedTop}${widths.shown}: ${listed(blocked, words)}`,
      `${words.summary.openTop}${widths.shown}: ${listed(open, words)}`,
    ].join('\n');
    if (countLetters(text) <= widths.total) return text;
    if (blocked.length + open.length === 0) return clip(head, widths.total);
    (blocked.length >= open.length ? blocked : open).pop();
  }
}

/** One task in three lines; a blocked one says why, a finished one what came of it. */
export function taskStatus(task: TaskView, locale: Locale = 'zh'): string {
  const words = wordsOf(locale);
  const { taskId, status, owner, assigneeHint, title, blockedReason, result } = task;
  const why =
    status === 'blocked' && blockedReason !== null ? ` | ${words.reason}=${clip(blockedReason, 120)}` : '';
  const came = status === 'done' && result ? ` | ${words.details.done}=${clip(result, longestResult)}` : '';
  return [
    `[TASK] ${taskId} | ${words.state}=${labelOf(status, words)}${why}${came}`,
    `${words.owner}: ${personOf(owner ?? assigneeHint, words)}`,
    `${words.title}: ${clip(title, 160)}`,
  ].join('\n');
}

function summaryHead(counts: Summary['counts'], words: Words): string {
  const others = Object.keys(counts).filter((status) => !order.includes(status));
  const parts = [...order, ...others.toSorted()].flatMap((status) => {
    const count = counts[status] ?? 0;
    return count === 0 ? [] : [words.summary.count(labelOf(status, words), count)];
  });
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const told = parts.length === 0 ? words.summary.empty : parts.join(words.comma);
  return `[TASK] ${words.summary.head} | ${words.summary.total(total)} | ${told}`;
}

function listed(items: readonly string[], { summary }: Words): string {
  return items.length === 0 ? summary.none : items.join(summary.between);
}

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
