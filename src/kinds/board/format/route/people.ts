import { type Command, named, tail } from './command.ts';
import { textAfter } from './id-text.ts';

const steal = /[^\S\n]*((?:--?|[—–]+)?steal(?![\w-])|强制|抢占|強制)/iy;
const stealWord = { en: '--steal', zh: '强制', ja: '強制' };
/** Only before a role: one may itself be called "to". */
const toWhom = /[^\S\n]*(?:to(?=[^\S\n]+@?\w)|[给へ](?=[^\S\n]*@?\w))/iy;

/** `claim task T-1`, with `--steal` before or after the id. */
export const claimTask: Command<'claim_task'> = {
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
export const dispatch: Command<'dispatch'> = {
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
export const clarify: Command<'clarify'> = {
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
export const submitReview: Command<'submit_review'> = {
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
