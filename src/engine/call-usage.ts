import type { Usage } from '../adapters/adapter.ts';
import type { Agent } from '../adapters/agent.ts';
import type { Turn } from '../adapters/fold.ts';
import type { Over } from '../meter/meter.ts';
import { usedBy } from '../task/used.ts';
import { noticeOf } from './admission.ts';
import { wasStopped, type Recorder } from './recorder.ts';

interface Called {
  recorder: Recorder;
  step: string;
  agent: Agent;
}

const nothing: Usage = { input: 0, cached: 0, output: 0 };

/** Without a word of its model: its provider let it in for nothing, and a night of such calls must not use up a budget. */
const turnedAway: ReadonlySet<string | undefined> = new Set(['limit', 'transient', 'auth']);

/** What a call is booked at. Undefined: the vendor did not report its usage. */
export function usageToBook(
  { usage, error }: Pick<Turn, 'usage' | 'error'>,
  { worked, free }: { worked: boolean; free: boolean },
): Usage | undefined {
  if (free) return { ...nothing, ...usage, cost: 0 };
  return usage ?? (!worked && turnedAway.has(error?.class) ? { ...nothing, cost: 0 } : undefined);
}

/** What the call's end means for its provider. A limit is heard here, whoever judges the step. */
export function overFor({ recorder, step, agent }: Called, turn: Turn, ms: number): Over {
  const used = usedBy(turn.usage, ms / 1000);
  // Whose price is known otherwise counts as the most that one has come to, and not as nothing.
  if (used.unpriced && (agent.price || agent.adapter.capabilities.costs)) used.untold = 1;
  const { error } = turn;
  if (error?.class !== 'limit') return { used, answered: error === undefined && !wasStopped(turn) };
  return { used, answered: false, notice: noticeOf(error, 'limit', `${recorder.task.id}/${step}`) };
}
