import type { Step } from '../../task/run.ts';
import type { Task } from '../../task/schema.ts';
import type { Json } from '../layout.ts';
import { evidenceByStep } from './evidence.ts';
import { resultFrom, resultOf, type Result } from './result.ts';
import type { Own } from './task-file.ts';

/** All results of a task in one place: `shared/reports/joined-summary.json`, and what its Markdown says. */
export interface Joined {
  taskId: string;
  generatedAt: string;
  sessionGoal: string;
  workers: JoinedWorker[];
}

export interface JoinedWorker {
  agentInstance: string;
  agent: string;
  /** Missing: there is no result, because it has not begun or is still at work. */
  status: Result['status'] | 'missing';
  summary: string;
  questions: string[];
  nextActions: string[];
  errors: string[];
  artifacts?: Record<string, Json>;
  needs?: string[];
  milestone?: string;
  /** Ids of entries in the evidence index. */
  evidence: string[];
}

/** Where a task keeps what the workers of other tools handed back, by instance. */
export const foreignResults = 'agentmesh.results';

/** The workers of other tools come first, as they do in the roster. */
export function joined(task: Task, own: Own): Joined {
  const { goal, joinedAt, steps } = task.run ?? { goal: '', steps: [] };
  const proof = evidenceByStep(task);
  const known = new Set(steps.map(({ id }) => id));
  const foreign = own.roster.filter(({ instance }) => !known.has(instance));
  return {
    taskId: task.id,
    generatedAt: joinedAt ?? task.updatedAt,
    sessionGoal: goal,
    workers: [
      ...foreign.map(({ instance, agent, assignedMilestone }) => ({
        agentInstance: instance,
        agent,
        ...(resultFrom(task.extras[foreignResults]?.[instance]) ?? missing),
        ...(assignedMilestone !== null && { milestone: assignedMilestone }),
        evidence: [],
      })),
      ...steps
        .filter(({ kind }) => kind === 'work')
        .map((step) => ({
          ...fromStep(task, step),
          evidence: proof.get(step.id)?.map(({ id }) => id) ?? [],
        })),
    ],
  };
}

const missing = {
  status: 'missing' as const,
  summary: '',
  questions: [],
  nextActions: [],
  errors: [],
};

function fromStep({ run }: Task, step: Step): Omit<JoinedWorker, 'evidence'> {
  const { id, role, needs, milestone } = step;
  return {
    agentInstance: id,
    agent: role,
    ...(resultOf(step, run?.states[id]) ?? missing),
    ...(needs.length > 0 && { needs }),
    ...(milestone !== undefined && { milestone }),
  };
}
