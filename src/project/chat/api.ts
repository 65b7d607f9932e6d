import type { Note } from '../../channel/channel.ts';
import type { Trouble } from '../../channel/pump.ts';
import type { Locale } from '../../kinds/board/format/intent.ts';
import type { Visibility } from '../../kinds/board/told.ts';

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

/** What happens while a chat is served, for who watches it. */
export type ChatNews =
  | Note
  | Trouble
  | { kind: 'heard'; id: string; group: string; by: string; intent: string; outcome: string; taskId?: string }
  | { kind: 'told'; group: string; key: string; taskId: string }
  | { kind: 'autopilot'; taskId: string; outcome: string };

/** What of a board's mail is on its way, and what was given up. */
export interface MailStatus {
  /** A docket serves a chat for this board now. */
  served: boolean;
  /** So many messages of people wait to be acted on, or could not be. */
  inbox: { waiting: number; dead: readonly MailEntry[] };
  outbox: { waiting: readonly MailEntry[]; dead: readonly MailEntry[] };
  /** The last line of the log that was told; absent: nothing yet. */
  toldUpTo?: number;
}

export interface MailEntry {
  key: string;
  group: string;
  text: string;
  tries: number;
  why?: string;
}
