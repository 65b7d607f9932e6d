import { jsonPath, quoted, type Problem } from '../../../schema/problem.ts';
import type { Step, Sub } from '../../../task/run.ts';
import { defaultOutputSchema } from './action-fields.ts';
import type { Actions, Subtask } from './actions-schema.ts';
import { cyclesIn, cycleText } from './graph.ts';
import { gateOf, layered, milestoneProblems, type Layers } from './milestones.ts';
import { didYouMean } from './references.ts';

export interface CompileFor extends Layers {
  topology: 'swarm' | 'squad';
  roster: readonly { instance: string; assignedMilestone?: string | null }[];
}

export interface Compiled {
  goal: string;
  steps: Step[];
  /** What each step is told, by its id. */
  orders: Record<string, string>;
}

/** Checked actions as steps: a swarm's all at once, a squad's in the order of its milestones. */
export function compileActions(actions: Actions, task: CompileFor): Compiled | { problems: Problem[] } {
  const plain = steps(actions.tasks);
  const compiled = task.topology === 'squad' ? squad(plain, actions.tasks, task) : { steps: plain };
  if ('problems' in compiled) return compiled;
  const orders = Object.fromEntries(actions.tasks.map((subtask) => [instanceOf(subtask), subtask.prompt]));
  return { goal: actions.sessionGoal, steps: compiled.steps, orders };
}

const instanceOf = ({ agentInstance, taskId }: Pick<Subtask, 'agentInstance' | 'taskId'>): string =>
  agentInstance ?? taskId;

/** Subtasks need each other by taskId, steps by the id of the step. */
function steps(tasks: readonly Subtask[]): Step[] {
  const instances = new Map(tasks.map((subtask) => [subtask.taskId, instanceOf(subtask)]));
  return tasks.map((subtask) => {
    const { cwd, model, timeoutSeconds, retries, outputSchemaPath, forkedFromThreadId: parent } = subtask;
    const schema = outputSchemaPath?.replace(/^(?:\.\/)+/, '');
    return {
      id: instanceOf(subtask),
      kind: 'work',
      title: subtask.title,
      role: subtask.agent,
      agent: subtask.adapter,
      needs: [...new Set(subtask.needs?.map((need) => instances.get(need) ?? need))],
      ...(cwd !== undefined && cwd !== '' && { cwd }),
      ...(subtask.mode === 'fork' && parent !== undefined && { session: { kind: 'fork', id: parent } }),
      ...(model !== undefined && { model }),
      ...(timeoutSeconds !== undefined && { seconds: timeoutSeconds }),
      ...(retries !== undefined && { retries }),
      ...(schema !== undefined &&
        schema !== '' &&
        schema !== defaultOutputSchema && { outputSchema: schema }),
      ...(subtask.packet !== undefined && { sub: subOf(subtask.packet) }),
    };
  });
}

function subOf(packet: NonNullable<Subtask['packet']>): Sub {
  if (typeof packet === 'string') return { workflow: packet };
  const { intent: workflow, ...more } = packet;
  return { workflow, ...more };
}

function squad(
  plain: readonly Step[],
  tasks: readonly Subtask[],
  task: CompileFor,
): { steps: Step[] } | { problems: Problem[] } {
  const assigned = new Map(
    task.roster.map(({ instance, assignedMilestone: id }) => [instance, id ?? undefined]),
  );
  const placed = plain.map((step, at) => {
    const milestone = tasks[at]?.milestone ?? assigned.get(step.id);
    return milestone === undefined ? step : { ...step, milestone };
  });
  const problems = [...milestoneProblems(task), ...placeProblems(placed, task)];
  if (problems.length > 0) return { problems };
  const compiled = layered(placed, task);
  if ('problems' in compiled) return compiled;
  const knots = knotProblems(compiled.steps);
  return knots.length > 0 ? { problems: knots } : compiled;
}

function placeProblems(placed: readonly Step[], { milestones, gates }: CompileFor): Problem[] {
  const known = new Set(milestones.map(({ id }) => id));
  const held = gates.filter(({ type }) => type === 'milestone-gate').map(({ id }) => id.toLowerCase());
  return placed.flatMap(({ id, milestone }, at) => {
    const problems: Problem[] = [];
    if (milestone !== undefined && !known.has(milestone)) {
      const message = `the task has no milestone ${quoted(milestone)}`;
      const path = jsonPath(['tasks', at, 'milestone']);
      problems.push({ path, message, fix: didYouMean(milestone, [...known]) });
    }
    // A blocked subtask asks at a gate of the same form: two gates under one id would answer for each other.
    if ([id, gateOf(id)].some((name) => held.includes(name.toLowerCase()))) {
      const message = `${quoted(id)} has a name that belongs to the gate of a milestone`;
      problems.push({ path: jsonPath(['tasks', at]), message, fix: 'choose another agentInstance' });
    }
    return problems;
  });
}

/** Needs that are sound, and milestones that are, can still contradict each other. */
function knotProblems(all: readonly Step[]): Problem[] {
  return cyclesIn(new Map(all.map((step) => [step.id, step]))).map((cycle) => ({
    path: jsonPath(['tasks', all.findIndex(({ id }) => cycle.includes(id)), 'needs']),
    message: `against the order of the milestones, ${cycleText(cycle)}`,
    fix: 'take the need out, or give the subtask another milestone',
  }));
}
