import type { BoardTask } from '../../../render/board/outcome.ts';
import type { Locale } from '../../../render/board/words.ts';

export type { Locale };

/** What somebody wants who writes to the board, whatever their words and language. */
export type Intent =
  | { intent: 'help' }
  | { intent: 'create_task'; taskId?: string; title: string; needs?: readonly string[] }
  | { intent: 'claim_task'; taskId: string; steal?: true }
  | { intent: 'mark_done'; taskId: string; result?: string }
  | { intent: 'block_task'; taskId: string; reason?: string }
  | { intent: 'unblock_task'; taskId: string; reason?: string }
  | { intent: 'reopen_task'; taskId: string; reason?: string }
  | { intent: 'fail_task'; taskId: string; reason?: string }
  | { intent: 'cancel_task'; taskId: string; reason?: string }
  | { intent: 'escalate_task'; taskId: string; reason?: string }
  | { intent: 'submit_review'; taskId: string; summary?: string; reviewer?: string }
  | { intent: 'approve_review'; taskId: string; note?: string }
  | { intent: 'request_changes'; taskId: string; reason?: string }
  | { intent: 'add_needs'; taskId: string; needs: readonly string[] }
  | { intent: 'status'; taskId?: string; full?: true }
  | { intent: 'synthesize'; taskId?: string }
  | { intent: 'create_project'; name: string; items: readonly string[] }
  | { intent: 'start_project'; path: string }
  | { intent: 'run'; taskId?: string }
  | { intent: 'autopilot'; steps?: number }
  | { intent: 'auto_progress'; action: 'on' | 'off' | 'status'; steps?: number }
  | { intent: 'dispatch'; taskId: string; role: string; text?: string }
  | { intent: 'clarify'; taskId: string; role: string; question: string }
  /** A team member tells how far they are. */
  | { intent: 'report'; taskId?: string; text: string }
  /** One of our own messages came back to us. */
  | { intent: 'ignored_loop' }
  /** Nothing is done. `suggestion`: the nearest command, ready to be sent. */
  | { intent: 'unknown'; raw: string; suggestion?: string };

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
