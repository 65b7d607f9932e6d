import { firstLetters } from '../../../../render/board/clip.ts';
import { locales, spoken, wordsOf } from '../../../../render/board/words.ts';
import { isTaskId } from '../../../../task/id.ts';
import { type Intent, type Locale, type Routed, type Sender, tags } from '../intent.ts';
import { commands, readNeedsBetween } from './commands.ts';
import { addressOf, isSelf, plainMentions } from './mentions.ts';
import { oneOf, Scanner, clean, fold } from './scanner.ts';
import { suggest } from './suggest.ts';

export interface RouteOptions {
  /** The language of the answer, whatever the request's. */
  locale?: Locale;
  /** Names and ids under which the orchestrator is mentioned; `orchestrator` is always one. */
  self?: readonly string[];
  /** The role behind an id of the chat service. */
  roleOf?: (userId: string) => string | undefined;
  /** The sign in front of an agent's name. */
  prefix?: string;
  /** Knows the ids on the board, so that a report may name a task that is not called T-something. */
  isTask?: (id: string) => boolean;
}

export interface Route extends Routed {
  /** The orchestrator is mentioned: it is us that they talk to. */
  addressed: boolean;
}

/** What somebody wants who writes this. Reads only; the same text gives the same answer. */
export function route(text: string, sender: Sender, options: RouteOptions = {}): Route {
  const self = ['orchestrator', ...(options.self ?? [])].filter((name) => name !== '');
  const { roleOf = () => undefined, prefix = '@' } = options;
  const names = { self, roleOf, prefix: fold(prefix) };
  const plain = plainMentions(clean(text), names);
  const { rest, addressed, overrideAgent } = addressOf(plain, names);
  const about = { ...(overrideAgent === undefined ? {} : { overrideAgent }), actor: sender.actor, addressed };
  const locale = options.locale ?? localeOf(rest);
  if (sender.isBot && isTagged(rest)) return { intent: { intent: 'ignored_loop' }, ...about, locale };
  const scanner = new Scanner(rest, options.isTask);
  const found = match(scanner, locale);
  if (found !== undefined) {
    return { intent: found.intent, ...about, locale: options.locale ?? localeOf(rest, found.keyword) };
  }
  const toUs = addressed && !isSelf(sender.actor, self);
  const intent = talk(scanner, { toUs, locale, raw: plain, agent: overrideAgent });
  return { intent, ...about, locale };
}

/** Our own messages begin with a tag, also when somebody's client put a mention before it. */
function isTagged(text: string): boolean {
  const head = fold(text.slice(0, 12)).toUpperCase();
  return tags.some((tag) => head.startsWith(tag));
}

/** The language of a text by its letters. A word that only Japanese has settles what Han letters leave open. */
function localeOf(text: string, keyword?: Locale): Locale {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'ja';
  if (!/\p{Script=Han}/u.test(text)) return 'en';
  return keyword === 'ja' ? 'ja' : 'zh';
}

interface Match {
  intent: Intent;
  /** The language of the keyword. */
  keyword: Locale;
}

/** Every keyword with the pattern that finds it; longer ones first, as `提交` begins `提交复核`. */
const heads = spoken.map((name) => ({
  name,
  words: locales
    .flatMap((keyword) =>
      wordsOf(keyword).verbs[name].map((word) => ({ keyword, word, pattern: oneOf([word]) })),
    )
    .toSorted((a, b) => b.word.length - a.word.length),
}));

/** The first command that reads the whole message. */
function match(scanner: Scanner, locale: Locale): Match | undefined {
  for (const { name, words } of heads) {
    for (const { keyword, pattern } of words) {
      scanner.at = 0;
      if (scanner.take(pattern) === undefined) continue;
      const intent = commands[name].read(scanner, locale);
      if (intent !== undefined) return { intent, keyword };
    }
  }
  scanner.at = 0;
  const intent = readNeedsBetween(scanner);
  return intent && { intent, keyword: locale };
}

interface Said {
  /** Somebody else speaks to the orchestrator. */
  toUs: boolean;
  locale: Locale;
  /** The message with its mentions. */
  raw: string;
  /** Whom a suggestion must name, as their message did. */
  agent: string | undefined;
}

const rawKept = 500;

/** What is no command. Talk to us is a report, unless it is plainly a command with a slip in it. */
function talk(scanner: Scanner, { toUs, locale, raw, agent }: Said): Intent {
  const { text } = scanner;
  if (toUs && text === '') return { intent: 'help' };
  const taskId = firstId(scanner);
  const suggestion = suggest(scanner, locale, taskId);
  const isReport = toUs && (taskId === undefined ? suggestion === undefined : !suggestion?.complete);
  if (isReport) return { intent: 'report', ...(taskId === undefined ? {} : { taskId }), text };
  const kept = firstLetters(raw, rawKept);
  if (suggestion === undefined) return { intent: 'unknown', raw: kept };
  const forWhom = agent === undefined ? '' : `@${agent} `;
  return { intent: 'unknown', raw: kept, suggestion: `${forWhom}${suggestion.text}` };
}

/** The first id that a text names: `T-001` in any case, or what the board knows. */
function firstId({ text, isTask }: Scanner): string | undefined {
  for (const [word] of fold(text).matchAll(/[\w-]+/g)) {
    if (isTaskId(word) && isTask(word)) return word;
    const [, number] = /^t-(\d{1,20})[-_]*$/i.exec(word) ?? [];
    if (number !== undefined) return `T-${number}`;
  }
  return undefined;
}
