import * as v from 'valibot';
import type { Locale } from '../../kinds/board/format/intent.ts';
import type { Visibility } from '../../kinds/board/told.ts';
import { described, maybe, named } from '../../schema/schemas.ts';

export interface ChatInput {
  env: Readonly<Record<string, string | undefined>>;
  /** The groups that are heard; the first of them is told what happens. */
  groups?: readonly string[];
  /** The language of answers and of what is told. */
  locale?: Locale;
  visibility?: Visibility;
  /** Instead of a connection of ours: wait for requests here. */
  listen?: string;
  /** Also where other machines can reach it. */
  open?: boolean;
}

export interface FeishuInput extends ChatInput {
  /** A file, by its whole path, with the settings that the environment does not have. */
  config?: string;
}

export interface WebhookInput extends ChatInput {
  out?: string;
  /** The variable with the secret; a file, by its whole path, goes before it. */
  secretEnv?: string;
  secretFile?: string;
}

/** A chat that is set up and not yet served. */
export interface Chat {
  /** How it is set up, without its secrets. */
  about: ChatFacts;
  /** Asks the other side whether the settings are right, as far as it can be asked. */
  check(signal: AbortSignal): Promise<{ botId?: string }>;
  /** Hears, acts, answers and tells, until the signal. */
  serve(signal: AbortSignal, onNews?: (news: ChatNews) => void): Promise<void>;
}

interface ChatFacts {
  channel: string;
  where: string;
  groups: readonly string[];
  roles: readonly string[];
}

const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const one = <const K extends string, S extends v.ObjectEntries>(kind: K, fields: S) =>
  v.strictObject({ kind: v.literal(kind), ...fields });

/** What happens while a chat is served, for who watches it. */
export const newsSchemas = [
  one('ready', { where: text }),
  one('connection', { state: v.picklist(['lost', 'back']) }),
  one('ignored', { why: v.picklist(['group', 'own', 'unreadable']), group: text }),
  one('refused', { why: text }),
  one('trouble', { text }),
  one('retry', { group: text, why: text, inMs: v.number() }),
  one('given-up', { group: text, why: text }),
  one('unreadable', { file: text }),
  one('heard', { id: text, group: text, by: text, intent: text, outcome: text, taskId: maybe(text) }),
  one('told', { group: text, key: text, taskId: text }),
  one('autopilot', { taskId: text, outcome: text }),
] as const;
export type ChatNews = v.InferOutput<(typeof newsSchemas)[number]>;

const entry = named(
  'mail',
  v.strictObject({ key: text, group: text, text, tries: count, why: maybe(text) }),
  'A message, and why it has not come through.',
);
export const mailEntries = v.array(entry);
export type MailEntry = v.InferOutput<typeof entry>;

/** What of a board's mail is on its way, and what was given up: messages of people, and ours to them. */
export const mailStatusSchema = v.strictObject({
  served: described(v.boolean(), 'A docket serves a chat for this board now.'),
  inbox: v.strictObject({ waiting: count, dead: mailEntries }),
  outbox: v.strictObject({ waiting: mailEntries, dead: mailEntries }),
  toldUpTo: maybe(count, 'The last line of the log that was told.'),
});
export type MailStatus = v.InferOutput<typeof mailStatusSchema>;
