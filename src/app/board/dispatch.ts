import { hintOf } from '../../layout/board/own.ts';
import { roleFor } from '../../layout/board/project.ts';
import type { Route } from '../../layout/board/route/route.ts';
import { boardTask } from '../../layout/board/task.ts';
import { dispatchNotices } from '../../render/board/notice-dispatch.ts';
import { mention } from '../../render/board/notice-mention.ts';
import { compareIds } from '../../task/id.ts';
import { unmetNeeds } from '../../task/needs.ts';
import type { Task } from '../../task/schema.ts';
import { applyTo, refused, type Applied, type Sheet } from './apply.ts';
import { foreman } from './moves.ts';

/** What a dispatch came to, and what the group is told. */
export interface Dispatched extends Applied {
  notices: readonly string[];
}

const knownRoles: readonly string[] = ['coder', 'debugger', 'invest-analyst', 'broadcaster'];

/** The next task that somebody could work on, in the order of their numbers. */
function runnable(sheet: Sheet, taskId?: string): Task | undefined {
  const tasks =
    taskId === undefined ? sheet.ledger.list({ status: ['queued', 'running'] }) : [sheet.ledger.get(taskId)];
  return tasks
    .flatMap((task) => (task && task.removedAt === undefined ? [task] : []))
    .toSorted((a, b) => compareIds(a.id, b.id))
    .find((task) => taskId !== undefined || unmetNeeds(sheet.ledger, task).length === 0);
}

/** Who is to do it: who has it, who it is meant for, or who its words suggest. */
function agentFor(task: Task): string {
  const hint = task.owner ?? hintOf(task);
  return knownRoles.includes(hint) ? hint : roleFor(task.title);
}

/** By hand: the task is claimed for the agent, who is told, and whose report ends it. */
function dispatchTo(sheet: Sheet, task: Task, agent: string, found: Route, text?: string): Dispatched {
  if (task.status === 'done')
    return { outcome: { kind: 'already', move: 'done', task: boardTask(task) }, events: [], notices: [] };
  const claimed = isWith(task, agent)
    ? { outcome: undefined, events: [] }
    : applyTo(
        sheet,
        { intent: 'claim_task', taskId: task.id },
        { ...found, actor: foreman, overrideAgent: agent },
      );
  if (claimed.outcome?.kind === 'refused') return { ...claimed, outcome: claimed.outcome, notices: [] };
  const now = boardTask(sheet.ledger.get(task.id) ?? task);
  const mentions = { agent: mention(agent), orchestrator: mention(foreman) };
  const more = text === undefined ? {} : { text };
  return {
    outcome: { kind: 'dispatched', task: now, agent, mode: 'manual' },
    events: claimed.events,
    notices: dispatchNotices({ task: now, agent, mode: 'manual', mentions, ...more }, found.locale),
  };
}

/** `run`: the next one, or the one that was named. */
export function ranNext(sheet: Sheet, found: Route, taskId?: string): Dispatched {
  const task = runnable(sheet, taskId);
  if (!task) return { outcome: { kind: 'nothing_to_run' }, events: [], notices: [] };
  return dispatchTo(sheet, task, agentFor(task), found);
}

/** `dispatch ID ROLE`: only for who answers for the board, or who asks them to. */
export function dispatchNamed(
  sheet: Sheet,
  intent: { intent: 'dispatch'; taskId: string; role: string; text?: string },
  found: Route,
): Dispatched {
  if (found.actor !== foreman && !found.addressed) return { ...refused('forbidden', intent), notices: [] };
  const task = sheet.ledger.get(intent.taskId);
  if (!task || task.removedAt !== undefined) return { ...refused('not_found', intent), notices: [] };
  return dispatchTo(sheet, task, intent.role, found, intent.text);
}

function isWith(task: Task, agent: string): boolean {
  return task.owner === agent && (task.status === 'queued' || task.status === 'running');
}
