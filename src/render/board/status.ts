import { compareIds } from '../../task/id.ts';
import { clip, countLetters } from './clip.ts';
import { labelOf, personOf } from './notice.ts';
import type { Summary, TaskView } from './outcome.ts';
import { type Locale, type Words, wordsOf } from './words.ts';

const order = ['pending', 'claimed', 'in_progress', 'review', 'done', 'blocked', 'failed'];
const openStatuses = new Set(['pending', 'claimed', 'in_progress', 'review']);
const short = { shown: 3, title: 18, note: 12, total: 500 };
const long = { shown: 6, title: 28, note: 20, total: 1200 };

/** Branch, commands and exit codes stand behind the agent's own words. */
const longestResult = 500;

export function summarise(tasks: Iterable<TaskView>): Summary {
  const counts = new Map<string, number>();
  const blocked: TaskView[] = [];
  const open: TaskView[] = [];
  for (const task of tasks) {
    counts.set(task.status, (counts.get(task.status) ?? 0) + 1);
    if (task.status === 'blocked') blocked.push(task);
    else if (openStatuses.has(task.status)) open.push(task);
  }
  return { counts: Object.fromEntries(counts), blocked, open };
}

/** How the board stands, in three lines: the counts, what is stuck, what is next. */
export function statusSummary(summary: Summary, locale: Locale = 'zh', full = false): string {
  const words = wordsOf(locale);
  const widths = full ? long : short;
  const item = (task: TaskView, note: string): string =>
    words.summary.item(task.taskId, clip(task.title, widths.title), clip(note, widths.note));
  const blocked = latest(summary.blocked, widths.shown).map((task) =>
    item(task, task.blockedReason ?? words.summary.unsaid),
  );
  const open = latest(summary.open, widths.shown).map((task) =>
    item(task, personOf(task.owner ?? task.assigneeHint, words)),
  );
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

/** What changed last comes first. */
function latest(tasks: readonly TaskView[], shown: number): TaskView[] {
  const byTime = (a: TaskView, b: TaskView): number =>
    a.updatedAt === b.updatedAt ? compareIds(b.taskId, a.taskId) : a.updatedAt < b.updatedAt ? 1 : -1;
  return tasks.toSorted(byTime).slice(0, shown);
}
