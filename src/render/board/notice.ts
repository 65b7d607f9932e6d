import { clip, oneLine } from './clip.ts';
import type { Card, Move, Moved, TaskView } from './outcome.ts';
import { type Locale, type Words, wordsOf, verbFor } from './words.ts';

const tags: Readonly<Record<Move, string>> = {
  created: '[TASK]',
  claimed: '[CLAIM]',
  stolen: '[CLAIM]',
  started: '[CLAIM]',
  progress: '[TASK]',
  done: '[DONE]',
  gated: '[BLOCKED]',
  blocked: '[BLOCKED]',
  unblocked: '[TASK]',
  reopened: '[TASK]',
  failed: '[BLOCKED]',
  canceled: '[BLOCKED]',
  escalated: '[DIAG]',
  submitted: '[REVIEW]',
  approved: '[REVIEW]',
  returned: '[REVIEW]',
  linked: '[TASK]',
};
/** What the log has where nobody gave a reason: it says no more than the move itself. */
const unsaid: Partial<Record<Move, string>> = {
  unblocked: 'unblocked',
  reopened: 'reopened',
  failed: 'failed',
  canceled: 'canceled',
  approved: 'approved',
  returned: 'changes are needed',
};
const longestDetail = 160;
const longestName = 60;

export function tagOf(move: Move): string {
  return tags[move];
}

/** What the group is told about a change: what is where with whom, and one detail. */
export function notice({ move, task, text, other }: Moved, locale: Locale = 'zh'): string {
  const words = wordsOf(locale);
  const head = headOf(tags[move], task, whoOf(move, task, other, words), words);
  const said = text ?? detailOf(move, task);
  const detail = clip(said === unsaid[move] ? task.title : said, longestDetail);
  const related =
    move === 'escalated' && task.relatedTo !== null ? ` | ${words.related}=${task.relatedTo}` : '';
  const lines = [head, `${words.details[move]}: ${detail === '' ? '-' : detail}${related}`];
  if (move === 'stolen' && other !== undefined) lines.push(`${words.takenFrom}: ${personOf(other, words)}`);
  return lines.join('\n');
}

/** `[DONE] T-001 | 状态=已完成 | 负责人=coder` */
function headOf(
  tag: string,
  { taskId, status }: Pick<TaskView, 'taskId' | 'status'>,
  who: string,
  words: Words,
): string {
  return `${tag} ${clip(taskId, longestName)} | ${words.state}=${labelOf(status, words)} | ${who}`;
}

export function labelOf(status: string, { labels }: Words): string {
  return Object.hasOwn(labels, status) ? (labels[status] ?? status) : clip(status, longestName);
}

export function personOf(name: string | null | undefined, { nobody }: Words): string {
  const shown = clip(name ?? '', longestName);
  return shown === '' ? nobody : shown;
}

function whoOf(
  move: Move,
  { owner, assigneeHint }: TaskView,
  other: string | undefined,
  words: Words,
): string {
  if (move === 'created') return `${words.hint}=${personOf(assigneeHint, words)}`;
  if (move === 'escalated') return `${words.assignee}=${personOf(assigneeHint, words)}`;
  const isReview = move === 'submitted' || move === 'approved';
  if (isReview && other !== undefined) return `${words.reviewer}=${personOf(other, words)}`;
  return `${words.owner}=${personOf(owner, words)}`;
}

function detailOf(move: Move, { title, result, blockedReason, review }: TaskView): string {
  switch (move) {
    case 'done':
      return result ?? '';
    case 'gated':
    case 'blocked':
    case 'failed':
    case 'canceled':
      return blockedReason ?? '';
    case 'submitted':
    case 'approved':
    case 'returned':
      return review ?? result ?? '';
    default:
      return title;
  }
}

/** What people may answer: intents that need no more words than the task's name. */
const answers: Partial<Record<Move, readonly (readonly [string, Card['buttons'][number]['look']])[]>> = {
  submitted: [
    ['approve_review', 'good'],
    ['request_changes', 'bad'],
  ],
  gated: [
    ['unblock_task', 'good'],
    ['escalate_task', 'plain'],
    ['cancel_task', 'bad'],
  ],
};

/** `times`: which asking of the task it is; an answer to an earlier one is told from an answer to this. */
export function cardFor(
  move: Move,
  about: { taskId: string; times: number },
  text: string,
  locale: Locale = 'zh',
): Card | undefined {
  const buttons = answers[move];
  if (!buttons) return undefined;
  const [title = '', ...lines] = text.split('\n');
  return {
    title,
    lines,
    buttons: buttons.map(([action, look]) => ({
      label: verbFor(action, wordsOf(locale)) ?? action,
      look,
      press: { ...about, action },
    })),
  };
}

export interface Dispatch {
  task: TaskView;
  agent: string;
  /** What the agent is asked for, where it is more than the title. */
  text?: string;
  mode: 'manual' | 'spawn';
  /** Ready to be sent, from `mention`. */
  mentions: { agent: string; orchestrator: string };
}

/** Two messages: who has the task now, and what the assignee is asked for. */
export function dispatchNotices(
  { task, agent, text, mode, mentions }: Dispatch,
  locale: Locale = 'zh',
): [string, string] {
  const words = wordsOf(locale);
  const who = personOf(agent, words);
  const template = words.dispatch.template(mentions.orchestrator, task.taskId);
  return [
    claimNotice(task, agent, mode, locale),
    [
      `[TASK] ${task.taskId} | ${words.owner}=${who}`,
      `${words.dispatch.task}: ${clip(text ?? task.title, 160)}`,
      words.dispatch.reportBack(mentions.agent, template),
    ].join('\n'),
  ];
}

/** The first of the two; also the answer to whom asked for the dispatch. */
export function claimNotice(
  task: TaskView,
  agent: string,
  mode: Dispatch['mode'],
  locale: Locale = 'zh',
): string {
  const words = wordsOf(locale);
  return [
    headOf('[CLAIM]', task, `${words.assignee}=${personOf(agent, words)}`, words),
    `${words.title}: ${clip(task.title, 160)}`,
    words.dispatch[mode],
  ].join('\n');
}

/** A worker hands over where everybody can see it; sent in the worker's own name. */
export function handoverNotice(
  { taskId, agent, result }: { taskId: string; agent: string; result: string },
  orchestrator: string,
  locale: Locale = 'zh',
): string {
  const words = wordsOf(locale);
  return [
    `[TASK] ${taskId} | ${words.dispatch.handoverBy}=${personOf(agent, words)}`,
    words.dispatch.handover(orchestrator, taskId, clip(result, 160)),
  ].join('\n');
}

/** A question to a role. With a mention it calls them. */
export function clarifyNotice(
  { taskId, role, question }: { taskId: string; role: string; question: string },
  locale: Locale = 'zh',
  mention?: string,
): string {
  const words = wordsOf(locale);
  return [
    `[TASK] ${taskId} | ${words.state}=${words.clarify.state} | ${words.clarify.role}=${personOf(role, words)}`,
    `${words.clarify.question}: ${clip(question, 140)}`,
    ...(mention === undefined ? [] : [mention]),
  ].join('\n');
}

/** Calls somebody in the chat. Without an id of theirs, by their role in plain words. */
export function mention(role: string, known?: { openId: string; name?: string }): string {
  // An id is written into a tag: one that could close it is none.
  if (known === undefined || !/^[\w-]+$/.test(known.openId)) return `@${bare(role)}`;
  const name = bare(known.name ?? '');
  return `<at user_id="${known.openId}">${name === '' ? bare(role) : name}</at>`;
}

function bare(name: string): string {
  return oneLine(name.replaceAll(/[<>]/g, ''));
}

export interface NoticeHead {
  tag: string;
  taskId?: string;
}

const shownIds = 8;

/** What a notice is about, from its first line. */
export function readHead(text: string): NoticeHead | undefined {
  const [, tag, taskId] = /^(\[[A-Z]{1,12}\])(?: ([\w-]{1,128})(?= \|| |$))?/.exec(text.slice(0, 200)) ?? [];
  if (tag === undefined) return undefined;
  return taskId === undefined ? { tag } : { tag, taskId };
}

/** One message in place of many: how much of what, and which tasks. */
export function digestNotice(heads: readonly NoticeHead[], locale: Locale = 'zh'): string {
  const words = wordsOf(locale);
  const tags = [...new Set(heads.map(({ tag }) => tag))];
  const counts = tags.map((tag) => {
    const count = heads.filter((head) => head.tag === tag).length;
    return words.summary.count(words.kinds[tag] ?? clip(tag, 20), count);
  });
  const listed = tags.map((tag) => idsOf(tag, heads, words)).filter((line) => line !== '');
  const head = `[TASK] ${words.digest(heads.length)} | ${counts.join(words.comma)}`;
  return listed.length === 0 ? head : `${head}\n${clip(listed.join(words.summary.between), 400)}`;
}

function idsOf(tag: string, heads: readonly NoticeHead[], words: Words): string {
  const ids = new Set(heads.flatMap((head) => (head.tag === tag ? (head.taskId ?? []) : [])));
  if (ids.size === 0) return '';
  const more = ids.size > shownIds ? [words.more(ids.size - shownIds)] : [];
  return `${clip(tag, 20)} ${[...[...ids].slice(0, shownIds), ...more].join(words.comma)}`;
}
