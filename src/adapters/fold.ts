import type { Exit } from '../io/process/process.ts';
import type { AgentError, AgentEvent, AgentRequest, Usage } from './adapter.ts';
import type { Price } from './agent.ts';

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

export function plus(a: Usage, b: Usage): Usage {
  return combine(a, b, 1);
}

/**
 * What this turn used, where a vendor counts over the whole session. A new session began at nothing; of a session whose
 * past nobody knows the turn's share stays unknown, because a guess would be paid for twice or not at all.
 */
export function turnShare(
  session: Usage,
  request: Pick<AgentRequest, 'session' | 'usedBefore'>,
): Usage | undefined {
  if (request.session.kind === 'new') return session;
  return request.usedBefore && combine(session, request.usedBefore, -1);
}

function combine(a: Usage, b: Usage, sign: 1 | -1): Usage {
  // A part that nobody knows makes the whole unknown.
  const cost = a.cost === undefined || b.cost === undefined ? undefined : a.cost + sign * b.cost;
  return {
    input: a.input + sign * b.input,
    cached: a.cached + sign * b.cached,
    output: a.output + sign * b.output,
    ...(cost !== undefined && { cost }),
  };
}

const million = 1_000_000;

/** What the vendor says it cost, else by the price list. With neither it is unknown, which is not nothing. */
export function withCost(usage: Usage, price: Price | undefined): Usage {
  if (usage.cost !== undefined || price === undefined) return usage;
  const { input, cached, output } = usage;
  const fresh = (input - cached) * price.input;
  const cost = (fresh + cached * (price.cached ?? price.input) + output * price.output) / million;
  return { ...usage, cost };
}
