import type { Exit } from '../io/process/process.ts';
import type { AgentError, AgentEvent, Usage } from './adapter.ts';
import { plus } from './usage.ts';

/** What one turn came to: a fold of its events. */
export interface Turn {
  session?: string;
  /** The last message, whole. */
  text?: string;
  structured?: unknown;
  /** Of this turn alone; absent when nobody said. */
  usage?: Usage;
  /** Counted over the whole session so far, for vendors that count so: the next turn subtracts it. */
  sessionUsage?: Usage;
  files: { path: string; change: 'add' | 'update' | 'delete' }[];
  denied: string[];
  warnings: string[];
  error?: AgentError;
  exit?: Exit;
}

export function emptyTurn(): Turn {
  return { files: [], denied: [], warnings: [] };
}

export function addEvent(turn: Turn, event: AgentEvent): void {
  switch (event.type) {
    case 'session':
      turn.session = event.id;
      return;
    case 'file':
      turn.files.push({ path: event.path, change: event.change });
      return;
    case 'usage':
      if (event.turn) turn.usage = turn.usage ? plus(turn.usage, event.turn) : event.turn;
      if (event.session) turn.sessionUsage = event.session;
      return;
    case 'denied':
      turn.denied.push(event.text);
      return;
    case 'warning':
      turn.warnings.push(event.text);
      return;
    case 'end':
      turn.exit = event.exit;
      if (event.text !== undefined) turn.text = event.text;
      if (event.structured !== undefined) turn.structured = event.structured;
      if (event.error) turn.error = event.error;
      return;
    case 'text':
    case 'tool':
    case 'limit':
    case 'question':
  }
}
