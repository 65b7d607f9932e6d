import type { Entry } from '../../engine/recorder.ts';
import { DocketError } from '../../errors.ts';
import { realFolder } from '../../io/links.ts';
import { type Problem, problemLines } from '../../schema/problem.ts';
import { knownAgents } from '../../settings/agents.ts';
import type { Config } from '../../settings/config.ts';
import type { Store } from '../../store/store.ts';
import type { Run, Step } from '../../task/run.ts';
import type { Task } from '../../task/schema.ts';
import type { Actions } from './format/actions-schema.ts';
import { compileActions, type Compiled } from './format/compile.ts';
import { gatesOf } from './format/describe.ts';
import { ownOf } from './format/own.ts';
import type { Known } from './format/references.ts';

/** What actions for this task may speak of. */
export function knownFor(task: Task, config: Config, root?: string): Known {
  const own = ownOf(task);
  // An entry that nobody has worked as yet is a place to fill, not a name that is taken.
  const worked = own.roster.filter(({ state }) => state !== 'pending').map(({ instance }) => instance);
  return {
    agents: [...knownAgents(config).keys()],
    ...(root !== undefined && { roots: [...new Set([root, realFolder(root)])] }),
    steps: [...(task.run?.steps ?? []).map(({ id }) => id), ...worked],
    ...(own.topology === 'squad' && { milestones: own.milestones.map(({ id }) => id) }),
  };
}

export function compileFor(task: Task, actions: Actions): Compiled | { problems: Problem[] } {
  const own = ownOf(task);
  const { topology, milestones, roster } = own;
  const gates = gatesOf(task, own);
  const steps = task.run?.steps ?? [];
  return compileActions(actions, {
    topology,
    milestones,
    gates,
    roster,
    steps,
    states: task.run?.states ?? {},
  });
}

/** All of them at once, each with its place. */
export function invalidActions(problems: readonly Problem[], source: string): DocketError {
  const [first] = problems;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  return new DocketError(
    'INVALID',
    `${source}: ${problems.length === 1 && first ? `${first.path}: ${first.message}` : `${problems.length} problems:\n${problemLines(problems).join('\n')}`}`,
    `${first?.fix ?? ''}${more} (the format is in docs/formats/agentmesh.md)`.trim(),
    { problems },
  );
}

/** Longer prompts go into a file of their own: a line of the log has to stay readable. */
const longestInline = 64 * 1024;

/** The order of a round, as it is written down. */
export async function dispatchOf(
  task: Task,
  order: {
    goal: string;
    steps: Step[];
    orders: Record<string, string>;
    planner?: NonNullable<Run['planner']>;
  },
  store: Store,
): Promise<Entry> {
  const text = JSON.stringify(order.orders);
  const bytes = Buffer.from(text);
  const orders =
    bytes.length <= longestInline ? text : { blob: await store.blobs.put(bytes), bytes: bytes.length };
  return {
    type: 'dispatch',
    n: (task.run?.n ?? 0) + 1,
    goal: order.goal,
    steps: order.steps,
    orders,
    ...(order.planner && { planner: order.planner }),
  };
}
