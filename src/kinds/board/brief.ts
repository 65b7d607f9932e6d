import path from 'node:path';
import { verifyCommandsOf } from '../../gate/policy.ts';
import { readBytes } from '../../io/files.ts';
import type { PastEvent, DispatchBrief } from '../../render/board/prompt.ts';
import { isObject } from '../../task/json.ts';
import type { Desk } from './desk.ts';
import type { BoardTask } from './format/intent.ts';
import { logFile } from './format/places.ts';
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

/** The last lines of the log about a task, the newest last. Only lines that name it are parsed. */
function recentEvents(root: string, taskId: string, most: number): PastEvent[] {
  const lines = (readBytes(path.join(root, logFile)) ?? Buffer.alloc(0)).toString('utf8').split('\n');
  const found: PastEvent[] = [];
  for (let at = lines.length - 1; at >= 0 && found.length < most; at -= 1) {
    const line = lines[at] ?? '';
    const event = line.includes(taskId) ? eventIn(line, taskId) : undefined;
    if (event) found.unshift(event);
  }
  return found;
}

/** How an attempt went is docket's own business. */
const inner = /^(?:attempt|run|step|gate)_/;

function eventIn(line: string, taskId: string): PastEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined; // the store tells about broken lines
  }
  if (!isObject(value) || value['taskId'] !== taskId) return undefined;
  const { at, actor, type, messageType, payload } = value;
  const words = [at, actor, type, messageType];
  if (!words.every((word) => typeof word === 'string') || inner.test(String(type))) return undefined;
  return {
    at: String(at),
    actor: String(actor),
    type: String(type),
    messageType: String(messageType),
    payload: isObject(payload) ? payload : {},
  };
}
