import type { Task } from '../../../task/schema.ts';
import { gatesOf } from './gates.ts';
import { milestoneNow } from './milestone-state.ts';
import { ownOf } from './own.ts';
import { rosterOf } from './roster.ts';
import type { TaskFile } from './task-file.ts';
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
