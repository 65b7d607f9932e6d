import type { Task } from '../../../task/schema.ts';
import { gateOf } from './milestones.ts';
import type { FileGate, Milestone } from './task-file.ts';

/** A milestone as its steps and its gate stand. A person's "done" stands, whatever they say. */
export function milestoneNow(task: Task, gates: readonly FileGate[], milestone: Milestone): Milestone {
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
