import type { Usage } from './adapter.ts';
import type { Price } from './agent.ts';

const million = 1_000_000;

/** What the vendor says it cost, else by the price list. With neither it is unknown, which is not nothing. */
export function withCost(usage: Usage, price: Price | undefined): Usage {
  if (usage.cost !== undefined || price === undefined) return usage;
  const { input, cached, output } = usage;
  const fresh = (input - cached) * price.input;
  const cost = (fresh + cached * (price.cached ?? price.input) + output * price.output) / million;
  return { ...usage, cost };
}
