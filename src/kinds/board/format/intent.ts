import type { Intent } from '../../../render/board/intent.ts';
import type { BoardTask } from '../../../render/board/outcome.ts';
import type { Locale } from '../../../render/board/words.ts';

export type { Intent, Locale };

export interface Routed {
  intent: Intent;
  /** `@agent` in front of the command: who it is meant for. */
  overrideAgent?: string;
  actor: string;
  /** The language of the request. */
  locale: Locale;
}

/** Who writes, as far as is known. */
export interface Sender {
  actor: string;
  isBot: boolean;
}

export const tags = ['[TASK]', '[CLAIM]', '[DONE]', '[BLOCKED]', '[REVIEW]', '[DIAG]'] as const;
export type Tag = (typeof tags)[number];

export type { BoardTask };
export type BoardStatus = BoardTask['status'];
