import { type Spoken, verbFor, wordsOf, keywordsOf } from '../../../../render/board/words.ts';
import { isTaskId } from '../../../../task/id.ts';
import type { Intent, Locale } from '../intent.ts';
import {
  type Command,
  named,
  type Of,
  tail,
  idText,
  maybeId,
  autopilot,
  autoProgress,
  help,
  status,
  textAfter,
  oneOf,
  type Scanner,
} from './command.ts';
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

const steal = /[^\S\n]*((?:--?|[—–]+)?steal(?![\w-])|强制|抢占|強制)/iy;
const stealWord = { en: '--steal', zh: '强制', ja: '強制' };
/** Only before a role: one may itself be called "to". */
const toWhom = /[^\S\n]*(?:to(?=[^\S\n]+@?\w)|[给へ](?=[^\S\n]*@?\w))/iy;

/** `claim task T-1`, with `--steal` before or after the id. */
const claimTask: Command<'claim_task'> = {
  read: (scanner) => {
    const before = scanner.take(steal);
    const taskId = scanner.id();
    const stolen = scanner.take(steal) ?? before;
    if (taskId === undefined || !scanner.atEnd()) return undefined;
    return { intent: 'claim_task', taskId, ...(stolen === undefined ? {} : { steal: true }) };
  },
  write: ({ taskId, steal }, locale) => `${named(taskId)}${steal ? ` ${stealWord[locale]}` : ''}`,
  usage: (id = 'T-001') => id,
};

/** `dispatch T-1 coder: text`. */
const dispatch: Command<'dispatch'> = {
  read: (scanner) => {
    const taskId = scanner.id();
    scanner.take(toWhom);
    const role = scanner.role();
    if (taskId === undefined || role === undefined) return undefined;
    const text = scanner.colon() ? scanner.rest() : scanner.atEnd() ? '' : undefined;
    return text === undefined ? undefined : { intent: 'dispatch', taskId, role, ...(text && { text }) };
  },
  write: ({ taskId, role, text }, locale) => `${named(taskId)} ${role}${tail(text, locale)}`,
  usage: (id = 'T-001') => `${id} coder: …`,
};

/** `clarify T-1 coder: question`. */
const clarify: Command<'clarify'> = {
  read: (scanner) => {
    const taskId = scanner.id();
    const role = scanner.role();
    if (taskId === undefined || role === undefined || !scanner.colon()) return undefined;
    const question = scanner.rest();
    return question === '' ? undefined : { intent: 'clarify', taskId, role, question };
  },
  write: ({ taskId, role, question }, locale) => `${named(taskId)} ${role}${tail(question, locale)}`,
  usage: (id = 'T-001') => `${id} coder: …?`,
};

/** `submit T-1 @reviewer: summary`. */
const submitReview: Command<'submit_review'> = {
  read: (scanner) => {
    const taskId = scanner.id();
    if (taskId === undefined) return undefined;
    scanner.take(/[^\S\n]+for review(?![\w-])/iy);
    const toSomebody = scanner.take(/(?=[^\S\n]*@)/y) !== undefined;
    const reviewer = toSomebody ? scanner.role() : undefined;
    const summary = textAfter(scanner, taskId);
    if (summary === undefined || (toSomebody && reviewer === undefined)) return undefined;
    return {
      intent: 'submit_review',
      taskId,
      ...(summary === '' ? {} : { summary }),
      ...(reviewer === undefined ? {} : { reviewer }),
    };
  },
  write: ({ taskId, summary, reviewer }, locale) =>
    `${named(taskId)}${reviewer === undefined ? '' : ` @${reviewer}`}${tail(summary, locale)}`,
  usage: (id = 'T-001') => `${id} @reviewer: …`,
};

const most = 100;

/** `needs T-2: T-1, T-3`, `depends T-2 on T-1`. */
const addNeeds: Command<'add_needs'> = {
  read: (scanner) => {
    const taskId = scanner.id();
    if (taskId === undefined) return undefined;
    if (!scanner.colon()) scanner.take(/[^\S\n]+on(?=\s)|[^\S\n]*[于於]/iy);
    return linked(taskId, scanner.rest());
  },
  write: ({ taskId, needs }) => `${named(taskId)}: ${needs.join(', ')}`,
  usage: (id = 'T-001') => `${id}: T-002`,
};

const between = oneOf(keywordsOf('add_needs'));

/** `T-2 needs T-1`, `T-2 依赖 T-1`: the one command whose verb stands in the middle. */
export function readNeedsBetween(scanner: Scanner): Of<'add_needs'> | undefined {
  const taskId = scanner.id();
  if (taskId === undefined || (!/^T-\d/.test(taskId) && !scanner.isTask(taskId))) return undefined;
  if (scanner.take(between) === undefined) return undefined;
  scanner.take(/[^\S\n]+on(?=\s)|[^\S\n]*[于於:]/iy);
  return linked(taskId, scanner.rest());
}

function linked(taskId: string, list: string): Of<'add_needs'> | undefined {
  const needs = idList(list);
  return needs === undefined || needs.length === 0 ? undefined : { intent: 'add_needs', taskId, needs };
}

/** Ids with commas, gaps or "and" between them. Undefined: something there is no id. */
function idList(text: string): string[] | undefined {
  if (text.length > most * 130) return undefined;
  const ids = text.split(/[,，;；、和と]/).flatMap((part) => {
    const words = part.split(/\s+/).filter((word) => word !== '');
    return words.length === 1 ? words : words.filter((word) => !/^(?:and|&)$/i.test(word));
  });
  const distinct = [...new Set(ids)];
  return distinct.length <= most && distinct.every(isTaskId) ? distinct : undefined;
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
  return `${verbFor(name, wordsOf(locale))}${gap}${rest}`;
}
