import { verifyCommandsOf } from '../../gate/policy.ts';
import type { DispatchBrief } from '../../render/board/prompt.ts';
import type { Desk } from './desk.ts';
import type { BoardTask } from './format/intent.ts';
import { recentEvents } from './history.ts';
import type { BoardLook } from './look.ts';

const shownEvents = 8;
const shownTasks = 3;

/** All that a worker is told about a task, by the board as it is. */
export function briefOf(
  task: BoardTask,
  order: { agent: string; text?: string | undefined },
  look: Pick<BoardLook, 'summary'>,
  { policy, where }: Pick<Desk, 'policy' | 'where'>,
): DispatchBrief {
  const { counts, open, blocked } = look.summary(shownTasks + 1);
  const others = <T extends { taskId: string }>(tasks: readonly T[]): T[] =>
    tasks.filter(({ taskId }) => taskId !== task.taskId).slice(0, shownTasks);
  const { agent, text } = order;
  const { requireAny = [] } = Object.hasOwn(policy.roles, agent) ? (policy.roles[agent] ?? {}) : {};
  return {
    agent,
    task,
    ...(text !== undefined && { objective: text }),
    acceptance: { requireAny, verifyCommands: verifyCommandsOf(policy, agent) },
    counts,
    pending: others(open),
    blocked: others(blocked),
    history: recentEvents(where.root, task.taskId, shownEvents),
  };
}
