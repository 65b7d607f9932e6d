import type { Task } from '../../../task/schema.ts';
import { gatesOf } from './gates.ts';
import { gateOf } from './milestones.ts';
import { ownOf } from './own.ts';
import { rosterOf } from './roster.ts';
import type { FileGate, Milestone, TaskFile } from './task-file.ts';
import { stateWord } from './words.ts';

/** What task.yaml should say now, in the order in which it says it. */
export function describe(task: Task): TaskFile {
  const own = ownOf(task);
  const { body } = task.spec;
  const state = stateWord(task);
  const gates = gatesOf(task, own);
  const untouched = task.run ? task.run.startedAt === task.updatedAt : own.said?.state === state;
  return {
    id: task.id,
    title: task.title,
    description: typeof body === 'string' ? body : '',
    topology: own.topology,
    state,
    createdAt: task.createdAt,
    updatedAt: (untouched && own.said?.updatedAt) || task.updatedAt,
    milestones: own.milestones.map((milestone) => milestoneNow(task, gates, milestone)),
    roster: rosterOf(task, own),
    gates,
    config: own.config,
  };
}

/** A milestone as its steps and its gate stand. A person's "done" stands, whatever they say. */
function milestoneNow(task: Task, gates: readonly FileGate[], milestone: Milestone): Milestone {
  const steps =
    task.run?.steps.filter((step) => step.milestone === milestone.id && step.kind !== 'human') ?? [];
  const states = steps.map(({ id }) => task.run?.states[id]?.state);
  if (milestone.state === 'done' || states.every((state) => state === undefined)) return milestone;
  const gate = gates.find(({ id, type }) => type === 'milestone-gate' && id === gateOf(milestone.id))?.state;
  if (states.includes('blocked') || gate === 'blocked' || gate === 'rejected') {
    return { ...milestone, state: 'blocked' };
  }
  const passed = gate === undefined || gate === 'approved';
  const done = passed && states.every((state) => state === 'done');
  return { ...milestone, state: done ? 'done' : 'working' };
}
