import type { StepDetails } from '../../../kinds/queue/api.ts';
import type { Task } from '../../../task/schema.ts';
import { stepColors } from '../task/steps.ts';
import { tokensText } from '../tokens.ts';

/** A step stays begun while its task waits; nobody is at work on it then. */
export function stateOf(state: string, status: Task['status']): string {
  return state === 'running' && status !== 'running' && status !== 'review' ? 'stopped' : state;
}

export function stepRow(
  { step, state: begun, agent, attempt, seconds, usage, chose, said }: StepDetails,
  status: Task['status'],
) {
  const state = stateOf(begun, status);
  const facts = [
    attempt === undefined ? '' : `attempt ${attempt}`,
    seconds === undefined ? '' : `${seconds.toFixed(1)} s`,
    usage === undefined ? '' : tokensText(usage),
  ].filter(Boolean);
  const rule = chose && `→ ${chose.text} (${chose.by})`;
  return {
    cells: [step, { text: state, color: stepColors[state] ?? 'plain' }, agent, facts.join(', ')],
    last: [rule, said.trim().split('\n')[0]].filter(Boolean).join('; '),
  } as const;
}
