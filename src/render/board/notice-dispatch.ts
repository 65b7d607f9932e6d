import { clip, oneLine } from './clip.ts';
import { headOf, personOf } from './notice.ts';
import type { TaskView } from './outcome.ts';
import { type Locale, wordsOf } from './words.ts';

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
