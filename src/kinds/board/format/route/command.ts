import type { Intent, Locale } from '../intent.ts';
import type { Spoken } from './keywords.ts';
import type { Scanner } from './scanner.ts';

export type Of<N extends Spoken> = Extract<Intent, { intent: N }>;

/** What follows a keyword, in both directions. */
export interface Command<N extends Spoken> {
  /** The scanner stands behind the keyword. Undefined: the message is not this command. */
  read(scanner: Scanner, locale: Locale): Of<N> | undefined;
  write(intent: Of<N>, locale: Locale): string;
  /** How it is written, for somebody who has it almost right. */
  usage(id?: string): string;
}

/** A text after an id: `: text` in English, with the wide colon elsewhere. */
export function tail(text: string | undefined, locale: Locale): string {
  if (text === undefined) return '';
  return locale === 'en' ? `: ${text}` : `：${text}`;
}

/** An id that reads as something else gets the word "task" before it. */
export function named(id: string): string {
  return /^(?:tasks?|all|full|for|review|steal)$/i.test(id) ? `task ${id}` : id;
}
