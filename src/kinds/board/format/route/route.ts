import { type Locale, type Routed, type Sender, tags } from '../intent.ts';
import { localeOf } from './locale.ts';
import { match } from './match.ts';
import { addressOf, isSelf, plainMentions } from './mentions.ts';
import { Scanner } from './scanner.ts';
import { talk } from './talk.ts';
import { clean, fold } from './text.ts';

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
