import type { AgentRequest, Usage } from './adapter.ts';
import type { Price } from './agent.ts';

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
