import { isPerson } from '../../../task/evolve-run.ts';
import { proofQuestionFor } from '../../../task/proof-question.ts';
import type { Gate, StepState } from '../../../task/run.ts';
import type { Task } from '../../../task/schema.ts';
import { gateOf } from './milestones.ts';
import { notesFile } from './new-task.ts';
import { ownOf } from './own.ts';
import type { FileGate, Milestone, Own, RosterEntry, TaskFile } from './task-file.ts';
import { stateWord } from './words.ts';

/** The gates of the file, each as the run knows it once it has been closed there, and the run's own behind them. */
export function gatesOf({ run }: Task, own: Own): FileGate[] {
  const gates = new Map(own.gates.map((gate) => [gate.id, gate]));
  for (const [id, gate] of Object.entries(run?.gates ?? {})) gates.set(id, spelled(id, gate));
  return [...gates.values()];
}

function spelled(id: string, gate: Gate): FileGate {
  const { kind, state, reason, blockedAt, resolvedAt = null, resolvedBy } = gate;
  return {
    id,
    type: kind,
    state,
    reason,
    instructionsRef: `./${notesFile}`,
    blockedAt,
    resolvedAt,
    resolvedBy: resolvedBy === undefined ? null : isPerson(resolvedBy) ? 'human' : 'auto',
  };
}

const words: Readonly<Record<StepState['state'], RosterEntry['state']>> = {
  running: 'active',
  ready: 'pending',
  blocked: 'awaiting',
  done: 'completed',
  failed: 'failed',
  canceled: 'failed',
};

/** One entry for each step that an agent does, behind those of others. What people said of a step beforehand stays. */
function rosterOf(task: Task, own: Own): RosterEntry[] {
  const entries = new Map(own.roster.map((entry) => [entry.instance, entry]));
  for (const { id, role, milestone } of agentSteps(task)) {
    const said = entries.get(id);
    entries.set(id, {
      instance: id,
      agent: role,
      state: wordOf(task, id),
      assignedMilestone: milestone ?? said?.assignedMilestone ?? null,
      skills: said?.skills ?? [],
    });
  }
  return [...entries.values()];
}

/** A person is no agent: what they have to do is a gate. */
export function agentSteps({ run }: Task) {
  return run?.steps.filter(({ kind }) => kind !== 'human') ?? [];
}

/** What nobody runs is never called active, and what a person is asked about never completed. */
function wordOf(task: Task, step: string): RosterEntry['state'] {
  const word = words[task.run?.states[step]?.state ?? 'ready'];
  if (word === 'completed' && proofQuestionFor(task.run, step)) return words.blocked;
  return word === 'active' && task.status !== 'running' ? 'pending' : word;
}

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
