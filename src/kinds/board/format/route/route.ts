import { firstLetters } from '../../../../render/board/clip.ts';
import { locales, spoken, wordsOf } from '../../../../render/board/words.ts';
import { isTaskId, isBuiltIn } from '../../../../task/id.ts';
import { type Intent, type Locale, type Routed, type Sender, tags } from '../intent.ts';
import { oneOf, Scanner, clean, fold } from './command.ts';
import { commands, readNeedsBetween } from './commands.ts';
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

interface Names {
  /** Names and ids under which we are mentioned. The first is what others are shown. */
  self: readonly string[];
  /** The role behind an id of the chat service. */
  roleOf: (userId: string) => string | undefined;
  /** The sign in front of an agent's name; ours always has "@". */
  prefix: string;
}

interface Address {
  /** We are mentioned, anywhere. */
  addressed: boolean;
  /** Somebody else is named in front of the command. */
  overrideAgent?: string;
  /** The text without the names in front of it. */
  rest: string;
}

/** The chat service's tags as plain `@name`: a tag that we repeat in an answer would call people. */
function plainMentions(text: string, { self, roleOf }: Names): string {
  const tag = /<at(\s[^<>]*)?>([^<>]*)<\/at>(?=([\p{L}\p{N}])?)/giu;
  return text.replaceAll(tag, (_, attributes: string = '', shown: string, next?: string) => {
    const [, id = ''] = /(?:user_id|open_id|id)\s*=\s*["']?([^"'\s]*)/.exec(attributes) ?? [];
    const name = shown.trim().replace(/^@/, '');
    const own = isSelf(id, self) || isSelf(name, self) ? self[0] : undefined;
    const plain = (own ?? roleOf(id) ?? (name === '' ? id : name)).replaceAll(/\s+/g, '_');
    return `@${plain}${next === undefined ? '' : ' '}`;
  });
}

/** Reads the names in front: `@orchestrator @debugger create …`, in any order. */
function addressOf(text: string, { self, prefix }: Names): Address {
  const folded = fold(text);
  let at = 0;
  let addressed = false;
  let overrideAgent: string | undefined;
  for (;;) {
    const own = ownMention(folded, at, self);
    const name = own ?? nameAt(folded, at, prefix);
    if (name === undefined || (own === undefined && overrideAgent !== undefined)) break;
    if (own === undefined) overrideAgent = name.slice(prefix.length);
    else addressed = true;
    const gap = /(?:[\s,:]|\.(?=\s))*/y;
    gap.lastIndex = at + name.length;
    gap.exec(folded);
    at = gap.lastIndex;
  }
  return {
    addressed: addressed || mentionsSelf(folded, self),
    ...(overrideAgent === undefined ? {} : { overrideAgent }),
    rest: text.slice(at),
  };
}

/** `@orchestrator` ends where its letters end: `@orchestratorstatus` is somebody else. */
function ownMention(folded: string, at: number, self: readonly string[]): string | undefined {
  if (folded[at] !== '@') return undefined;
  const found = self.find(
    (name) => folded.slice(at + 1, at + 1 + name.length).toLowerCase() === name.toLowerCase(),
  );
  if (found === undefined) return undefined;
  const end = at + 1 + found.length;
  const goesOn = /\w$/.test(found) && /^(?:[\w-]|\.\w)/.test(folded.slice(end, end + 2));
  return goesOn ? undefined : folded.slice(at, end);
}

function nameAt(folded: string, at: number, prefix: string): string | undefined {
  if (!folded.startsWith(prefix, at)) return undefined;
  const pattern = /(?:\w(?:[\w.-]*[\w-])?|[\p{L}\p{N}][\p{L}\p{N}_.-]*(?=[\s,:]|$))/uy;
  pattern.lastIndex = at + prefix.length;
  const [name] = pattern.exec(folded) ?? [];
  return name === undefined || name.length > 64 || isBuiltIn(name) ? undefined : `${prefix}${name}`;
}

function mentionsSelf(folded: string, self: readonly string[]): boolean {
  for (let at = folded.indexOf('@'); at >= 0; at = folded.indexOf('@', at + 1)) {
    if (ownMention(folded, at, self) !== undefined) return true;
  }
  return false;
}

function isSelf(name: string, self: readonly string[]): boolean {
  return self.some((own) => own.toLowerCase() === name.toLowerCase());
}
