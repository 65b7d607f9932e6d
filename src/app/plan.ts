import { messageOf } from '../errors.ts';
import { notedOf } from '../layout/queue/noted.ts';
import { wishesOf } from '../layout/queue/wishes.ts';
import type { Waits } from '../store/waits.ts';
import type { UnmetNeed } from '../task/needs.ts';
import { rank } from '../task/pick.ts';
import type { Task } from '../task/schema.ts';
import type { Node } from '../workflow/graph.ts';
import { readConfig } from './config.ts';
import { Staff } from './queue/staff.ts';
import type { Places } from './run.ts';
import { findWorkflow } from './workflow/find.ts';

interface PlannedStep {
  step: string;
  agent: string;
  adapter: string;
  permission: string;
}

export interface PlannedTask {
  task: Task;
  workflow: string;
  /** All that it may come to, in the order in which the workflow lists them; where it begins. */
  steps: PlannedStep[];
  begins: string;
  /** in place, or a clone or worktree of its own. */
  workspace: string;
  branch?: string;
  /** What must be done first. */
  waitsFor?: UnmetNeed[];
  /** Why it would be blocked instead. */
  problem?: string;
}

/** What a run would do, for people who want to look before they pay. */
export async function planRun(
  tasks: readonly Task[],
  waits: Waits,
  input: { tasks?: readonly string[]; agent?: string },
  places: Places,
): Promise<PlannedTask[]> {
  const config = await readConfig(places.root, places.env);
  const staff = new Staff(config, places, input.agent);
  const queued = tasks
    .filter((task) => task.status === 'queued' && (input.tasks?.includes(task.id) ?? true))
    .toSorted((a, b) => rank(a) - rank(b));
  const planned: PlannedTask[] = [];
  for (const task of queued) {
    const workflow = task.spec.workflow ?? config.workflow ?? 'quick';
    const { branch = wishesOf(task).branch } = notedOf(task);
    const waitsFor = waits[task.id];
    const about = {
      task,
      workflow,
      workspace: task.spec.workspace?.kind ?? 'inplace',
      ...(branch !== undefined && { branch }),
      ...(waitsFor && { waitsFor }),
    };
    planned.push({ ...about, ...(await walked(workflow, task, staff, places)) });
  }
  return planned;
}

async function walked(
  workflow: string,
  task: Task,
  staff: Staff,
  places: Places,
): Promise<Pick<PlannedTask, 'steps' | 'begins' | 'problem'>> {
  try {
    const graph = findWorkflow(workflow, places);
    const nodes = Object.values(graph.nodes).filter(({ kind }) => kind === 'work');
    const steps = await Promise.all(nodes.map((node) => plannedStep(node, task, staff)));
    const { startStep } = wishesOf(task);
    const begins =
      notedOf(task).from ?? task.run?.steps.at(-1)?.title ?? startStep ?? graph.nodes[graph.start]?.title;
    return { steps, begins: begins ?? '' };
  } catch (error) {
    return { steps: [], begins: '', problem: messageOf(error) };
  }
}

async function plannedStep(node: Node, task: Task, staff: Staff): Promise<PlannedStep> {
  const { name, adapter, permission } = await staff.for(node, task);
  return { step: node.title, agent: name, adapter: adapter.name, permission };
}
