import { messageOf } from '../errors.ts';
import { callName, notedOf, wishesOf } from '../kinds/queue/format/record.ts';
import { taskNamed } from '../kinds/queue/ids.ts';
import type { QueueProject } from '../kinds/queue/kind.ts';
import { Staff } from '../kinds/queue/staff.ts';
import { takenByRun } from '../kinds/requeue.ts';
import { readConfig } from '../settings/read-config.ts';
import { waysFor } from '../settings/room.ts';
import type { OrderedView } from '../store/view.ts';
import { unmetNeeds, type UnmetNeed } from '../task/needs.ts';
import { inTurn } from '../task/pick.ts';
import type { Task } from '../task/schema.ts';
import type { Node } from '../workflow/graph.ts';
import { findWorkflow } from '../workflows/find.ts';

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

/** What a run would do, for people who want to look before they pay, in the order in which it would. */
export async function planRun(
  { tasks, order }: OrderedView,
  input: { tasks?: readonly string[]; agent?: string },
  places: QueueProject,
): Promise<PlannedTask[]> {
  const config = await readConfig(places.root, places.env);
  const staff = new Staff(config, places, input.agent);
  const only = input.tasks && new Set(input.tasks.map((ref) => taskNamed(tasks, ref).id));
  const taken = takenByRun(tasks, only, {
    clock: places.clock,
    nameOf: callName,
    ...waysFor(places, config),
  });
  const view = new Map(tasks.map((task) => [task.id, task]));
  const waits = new Map(taken.map((task) => [task.id, unmetNeeds(view, task)]));
  const planned: PlannedTask[] = [];
  for (const task of oneByOne(inTurn(taken, order?.(taken)), waits)) {
    const workflow = task.spec.workflow ?? config.workflow ?? 'quick';
    const { branch = wishesOf(task).branch } = notedOf(task);
    const waitsFor = waits.get(task.id) ?? [];
    const about = {
      task,
      workflow,
      workspace: task.spec.workspace?.kind ?? 'inplace',
      ...(branch !== undefined && { branch }),
      ...(waitsFor.length > 0 && { waitsFor }),
    };
    planned.push({ ...about, ...(await walked(workflow, task, staff, places)) });
  }
  return planned;
}

/** As they would come up if all went well: each behind what it waits for, and last what waits for something else. */
function oneByOne(queue: Task[], waits: ReadonlyMap<string, readonly UnmetNeed[]>): Task[] {
  const done = new Set<string>();
  const left = [...queue];
  const may = ({ id }: Task) => waits.get(id)?.every(({ on }) => done.has(on));
  const planned: Task[] = [];
  for (let at = left.findIndex(may); at >= 0; at = left.findIndex(may)) {
    for (const task of left.splice(at, 1)) {
      planned.push(task);
      done.add(task.id);
    }
  }
  return [...planned, ...left];
}

async function walked(
  workflow: string,
  task: Task,
  staff: Staff,
  places: QueueProject,
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
  if (node.sub) return { step: node.title, agent: 'packet', adapter: node.sub.workflow, permission: 'edit' };
  const { name, adapter, permission } = await staff.for(node, task);
  return { step: node.title, agent: name, adapter: adapter.name, permission };
}
