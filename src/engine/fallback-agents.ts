import type { Agent } from '../adapters/agent.ts';
import { openAttempt } from '../task/allowed.ts';
import type { Step } from '../task/run.ts';
import type { BlockReason } from '../task/schema.ts';
import type { Holds } from './admission.ts';
import type { Recorder } from './recorder.ts';
import type { StepOrder } from './run-workflow.ts';

/** Who does a step: its agent, and while its provider is left alone, who stands in. */
interface FallbackAgents {
  /** The order as it is for whoever is next. */
  order(order: StepOrder): StepOrder;
  /** The next one takes over. False: there is nobody, or it would not help. */
  next(held: BlockReason): boolean;
}

const helps: ReadonlySet<BlockReason['kind']> = new Set(['limit', 'provider']);

export async function fallbackAgentsFor(
  step: Step,
  { agent }: StepOrder,
  { holds, recorder }: { holds?: Holds | undefined; recorder: Recorder },
): Promise<FallbackAgents> {
  const agents: Agent[] = [agent, ...((await holds?.standIns(step, agent)) ?? [])];
  // Who is at work since before docket died is heard first: that call is paid for.
  const open = openAttempt(recorder.task, step.id)?.agent;
  let at = Math.max(
    0,
    agents.findIndex(({ name }) => name === open),
  );
  return {
    order: (order) => {
      const next = agents[at];
      return !next || next.name === agent.name ? order : standingIn(order, next);
    },
    next: ({ kind }) => {
      if (!helps.has(kind) || at + 1 >= agents.length) return false;
      at += 1;
      return true;
    },
  };
}

/** The whole order, in a conversation of its own: it was not there when the others spoke. */
function standingIn({ session: _session, usedBefore: _used, ...order }: StepOrder, agent: Agent): StepOrder {
  return { ...order, agent };
}
