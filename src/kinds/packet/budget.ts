import type { BlockReason, Task } from '../../task/schema.ts';
import type { Manifest } from './format/manifest.ts';
import { callsOf, ownOf } from './format/own.ts';

/** Which budget allows no further call. It is a person's word: reaching it stops everything, and costs no stage its place. */
export function budgetReached(
  task: Pick<Task, 'attempts' | 'extras'>,
  { budgets }: Manifest,
): BlockReason | undefined {
  const { tokens, cost } = ownOf(task).spent;
  const spent: readonly [key: keyof Manifest['budgets'], used: number, what: string][] = [
    ['paid_call_budget', callsOf(task), 'calls'],
    ['tokens', tokens, 'tokens'],
    ['cost_usd', cost, 'US dollars'],
  ];
  for (const [key, used, what] of spent) {
    const budget = budgets[key];
    if (budget === undefined || used < budget) continue;
    const text = `${key}: ${used} of ${budget} ${what} are used; raise it in manifest.yaml to go on`;
    return { kind: 'budget', text, who: 'a person' };
  }
  return undefined;
}
