import { quoted, type Problem } from '../../../schema/problem.ts';
import { isOver } from '../../../task/allowed.ts';
import { isTaskId } from '../../../task/id.ts';
import type { Run, Step } from '../../../task/run.ts';
import { cyclesIn, cycleText, inOrder } from './graph.ts';

/** What a task says about its layers. */
export interface Layers {
  milestones: readonly { id: string; title: string; state: string; dependsOn: readonly string[] }[];
  gates: readonly { id: string; type: string; state: string; reason?: string }[];
  /** The steps that were ordered before, and what became of them. */
  steps: readonly Step[];
  states: Run['states'];
}

export const gateOf = (milestone: string): string => `gate-${milestone}`;

/** What is wrong with the milestones themselves. */
export function milestoneProblems({ milestones }: Pick<Layers, 'milestones'>): Problem[] {
  const ids = new Set(milestones.map(({ id }) => id));
  const at = (nth: number) => `task.yaml milestones[${nth}].dependsOn`;
  const unfit = milestones.flatMap(({ id }, nth) => {
    if (isTaskId(gateOf(id))) return [];
    const message = `${quoted(id)} cannot be the id of a milestone that is worked on`;
    return [{ path: `task.yaml milestones[${nth}].id`, message, fix: 'use letters, digits, "_" and "-"' }];
  });
  const unknown = milestones.flatMap(({ dependsOn }, nth) =>
    dependsOn
      .filter((id) => !ids.has(id))
      .map((id) => ({
        path: at(nth),
        message: `there is no milestone ${quoted(id)}`,
        fix: 'name one that exists, or take it out',
      })),
  );
  const cycles = cyclesIn(graphOf(milestones)).map((cycle) => ({
    path: at(milestones.findIndex(({ id }) => id === cycle[0])),
    message: cycleText(cycle),
    fix: 'take one of them out',
  }));
  return [...unfit, ...unknown, ...cycles];
}

function graphOf(milestones: Layers['milestones']) {
  return new Map(milestones.map(({ id, dependsOn }) => [id, { needs: dependsOn }]));
}

/** What the steps behind a milestone wait for, the gates that this takes, and why they could never begin. */
interface Hold {
  needs: readonly string[];
  gates: readonly Step[];
  problems: readonly Problem[];
}
const free: Hold = { needs: [], gates: [], problems: [] };

/**
 * New steps wait for all that is not finished of the milestones before theirs. A gate is a step too: a person's, behind
 * the steps of its milestone. A milestone without steps passes on what it waits for itself.
 */
export function layered(added: readonly Step[], layers: Layers): { steps: Step[] } | { problems: Problem[] } {
  const byId = new Map(layers.milestones.map((milestone) => [milestone.id, milestone]));
  const holds = new Map<string, Hold>();
  const before = (id: string): Hold =>
    merged((byId.get(id)?.dependsOn ?? []).map((need) => holds.get(need) ?? free));
  for (const id of inOrder(graphOf(layers.milestones))) {
    const milestone = byId.get(id);
    if (milestone) holds.set(id, holdOf(milestone, before(id), added, layers));
  }
  const used = [...new Set(added.map(({ milestone }) => milestone))].filter((id) => id !== undefined);
  const waits = new Map(used.map((id) => [id, before(id)]));
  const { problems } = merged([...waits.values()]);
  if (problems.length > 0) return { problems: [...problems] };
  const { gates } = merged([...waits.values(), ...used.map((id) => holds.get(id) ?? free)]);
  const steps = added.map((step) => {
    const { needs } = (step.milestone === undefined ? undefined : waits.get(step.milestone)) ?? free;
    return { ...step, needs: [...new Set([...step.needs, ...needs])] };
  });
  return { steps: [...steps, ...gates] };
}

function holdOf(
  milestone: Layers['milestones'][number],
  before: Hold,
  added: readonly Step[],
  layers: Layers,
): Hold {
  const { id, state } = milestone;
  if (state === 'done') return free;
  const old = layers.steps.filter((step) => step.milestone === id && step.kind !== 'human');
  const open = [...old, ...added.filter((step) => step.milestone === id)]
    .map((step) => step.id)
    .filter((step) => !isOver(layers, step));
  const began = old.length > 0 || open.length > 0;
  const failed = began && open.length === 0 && old.every((step) => layers.states[step.id]?.state !== 'done');
  const waits = began ? { ...free, needs: open, problems: failed ? [nothingDone(id)] : [] } : before;
  switch (gateState(id, layers)) {
    case 'none':
      return waits;
    case 'asked':
      return { ...waits, needs: [...waits.needs, gateOf(id)] };
    case 'rejected':
      return { ...waits, problems: [...waits.problems, rejected(id)] };
    case 'ask': {
      const gate = humanStep(milestone, waits.needs, layers);
      return { needs: [gate.id], gates: [...waits.gates, gate], problems: waits.problems };
    }
  }
}

function gateState(milestone: string, layers: Layers) {
  const id = gateOf(milestone);
  if (layers.steps.some((step) => step.id === id)) {
    if (layers.states[id]?.state === 'done') return 'none';
    return isOver(layers, id) ? 'rejected' : 'asked';
  }
  const gate = layers.gates.find((one) => one.id === id && one.type === 'milestone-gate');
  if (!gate || gate.state === 'approved') return 'none';
  return gate.state === 'rejected' ? 'rejected' : 'ask';
}

/** What a person wrote as the reason of the gate is the question. */
function humanStep(
  { id, title }: { id: string; title: string },
  needs: readonly string[],
  { gates }: Pick<Layers, 'gates'>,
): Step {
  const said = gates.find((one) => one.id === gateOf(id))?.reason?.trim();
  return {
    id: gateOf(id),
    kind: 'human',
    title: said || `Approve milestone ${title}`,
    role: 'human',
    agent: 'human',
    needs: [...needs],
    milestone: id,
  };
}

function merged(holds: readonly Hold[]): Hold {
  return {
    needs: [...new Set(holds.flatMap(({ needs }) => needs))],
    gates: [...new Set(holds.flatMap(({ gates }) => gates))],
    problems: [...new Set(holds.flatMap(({ problems }) => problems))],
  };
}

function nothingDone(id: string): Problem {
  const message = `nothing of milestone ${quoted(id)} was done, and the next one waits for it`;
  return {
    path: '$.tasks',
    message,
    fix: 'order new subtasks for it, or set its state to "done" in task.yaml',
  };
}

function rejected(id: string): Problem {
  const message = `gate ${quoted(gateOf(id))} was rejected: what comes after milestone ${quoted(id)} must not begin`;
  return { path: '$.tasks', message, fix: 'leave out what depends on it' };
}
