import type { Intent, Locale } from '../intent.ts';
import { type Command, named, type Of, tail } from './command.ts';
import { idText, maybeId } from './id-text.ts';
import { phrase, type Spoken } from './keywords.ts';
import { autopilot, autoProgress, help, status } from './loop.ts';
import { addNeeds, idList } from './needs.ts';
import { claimTask, clarify, dispatch, submitReview } from './people.ts';
import { createProject, startProject } from './project.ts';

/** `create task T-1: title`, `create task: title`, `create task title`; before the colon also `--needs T-2, T-3`. */
const createTask: Command<'create_task'> = {
  read: (scanner) => {
    const start = scanner.at;
    const taskId = scanner.id();
    if (taskId === undefined) scanner.at = start;
    const flag = scanner.take(needsFlag);
    const needs = flag === undefined ? [] : idList(flag);
    if (scanner.nameColon()) return needs && created(taskId, scanner.rest(), needs);
    if (flag !== undefined) return undefined; // half understood is not understood
    if (taskId !== undefined && /^T-\d/.test(taskId)) {
      scanner.take(/[^\S\n]*[,:]?\s*/y); // an id of the board's own kind needs no colon
      return created(taskId, scanner.rest(), []);
    }
    scanner.at = start;
    return created(undefined, scanner.rest(), []);
  },
  write: ({ taskId, title, needs = [] }, locale) => {
    const words = [
      ...(taskId === undefined ? [] : [named(taskId)]),
      ...(needs.length === 0 ? [] : [`--needs ${needs.join(', ')}`]),
    ];
    return `${words.join(' ')}${tail(title, locale)}`;
  },
  usage: (id = '') => `${id}: …`,
};

const needsFlag = /[^\S\n]*(?:--|[—–]+)(?:needs|依赖|依存)[^\S\n]*=?([\w,;、 \t-]*)/iy;

function created(
  taskId: string | undefined,
  title: string,
  needs: readonly string[],
): Of<'create_task'> | undefined {
  if (title === '') return undefined;
  return {
    intent: 'create_task',
    ...(taskId === undefined ? {} : { taskId }),
    title,
    ...(needs.length === 0 ? {} : { needs }),
  };
}

/** How what follows a keyword is read and written. */
export const commands: { readonly [N in Spoken]: Command<N> } = {
  help,
  auto_progress: autoProgress,
  start_project: startProject,
  create_project: createProject,
  run: maybeId('run'),
  autopilot,
  status,
  dispatch,
  clarify,
  claim_task: claimTask,
  mark_done: idText('mark_done', 'result'),
  block_task: idText('block_task', 'reason'),
  escalate_task: idText('escalate_task', 'reason'),
  create_task: createTask,
  unblock_task: idText('unblock_task', 'reason'),
  reopen_task: idText('reopen_task', 'reason'),
  fail_task: idText('fail_task', 'reason'),
  cancel_task: idText('cancel_task', 'reason'),
  submit_review: submitReview,
  approve_review: idText('approve_review', 'note'),
  request_changes: idText('request_changes', 'reason'),
  add_needs: addNeeds,
  synthesize: maybeId('synthesize'),
};

/** The message that asks for this; the router reads it back as the same. */
export function render(intent: Intent, locale: Locale = 'en'): string {
  switch (intent.intent) {
    case 'unknown':
      return intent.raw;
    case 'report':
      return `@orchestrator ${intent.text}`;
    case 'ignored_loop':
      return '[TASK]';
    default:
      return ask(intent.intent, commands[intent.intent].write(intent as never, locale), locale);
  }
}

/** How a command is written, for somebody who has it almost right. */
export function usageOf(name: Spoken, id: string | undefined, locale: Locale): string {
  return ask(name, commands[name].usage(id), locale);
}

function ask(name: Spoken, rest: string, locale: Locale): string {
  const gap = rest === '' || /^[:：]/.test(rest) ? '' : ' ';
  return `${phrase(name, locale)}${gap}${rest}`;
}
