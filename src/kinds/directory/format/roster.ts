import { proofQuestionFor } from '../../../task/proof-question.ts';
import type { StepState } from '../../../task/run.ts';
import type { Task } from '../../../task/schema.ts';
import type { Own, RosterEntry } from './task-file.ts';

const words: Readonly<Record<StepState['state'], RosterEntry['state']>> = {
  running: 'active',
  ready: 'pending',
  blocked: 'awaiting',
  done: 'completed',
  failed: 'failed',
  canceled: 'failed',
};

/** One entry for each step that an agent does, behind those of others. What people said of a step beforehand stays. */
export function rosterOf(task: Task, own: Own): RosterEntry[] {
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
