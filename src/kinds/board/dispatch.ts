import { applyTogether } from '../../store/execute.ts';
import type { TaskIndex } from '../../store/store.ts';
import { hasTerm } from '../../task/allowed.ts';
import type { Command } from '../../task/command.ts';
import { compareIds } from '../../task/id.ts';
import { unmetNeeds } from '../../task/needs.ts';
import type { Task } from '../../task/schema.ts';
import { isLow } from '../../task/trust.ts';
import { askerOf, creation, type Applied, type Sheet } from './apply.ts';
import { dispatchNote, type DispatchOrder, memoryOf, hintOf } from './format/extras.ts';
import type { Intent } from './format/intent.ts';
import { roleFor } from './format/project.ts';
import { boardTask } from './format/task.ts';
import { foreman, isHeld, moveFor, no, type Asker, type Move } from './moves.ts';
import { declined, refusedBy } from './refusals.ts';

export const knownRoles: readonly string[] = ['coder', 'debugger', 'invest-analyst', 'broadcaster'];

/**
 * The one that was named; else the next that nobody has, in the order of their numbers; else the first that an agent was
 * given and has not reported on, to remind it.
 */
export function runnable(ledger: TaskIndex, now: string, taskId?: string): Task | undefined {
  if (taskId !== undefined) {
    const task = ledger.get(taskId);
    return task?.removedAt === undefined ? task : undefined;
  }
  const ready = ledger
    .list({ status: ['queued', 'running'] })
    .toSorted((a, b) => compareIds(a.id, b.id))
    .filter((task) => unmetNeeds(ledger, task).length === 0);
  return (
    ready.find((task) => !isHeld(task, now)) ??
    ready.find((task) => hasTerm(task) && memoryOf(task).order?.open === true)
  );
}

/** Who is to do it: who has it, who it is meant for, or who its words suggest. */
export function agentFor(task: Task, agents: readonly string[]): string {
  const hint = task.owner ?? hintOf(task);
  return knownRoles.includes(hint) || agents.includes(hint) ? hint : roleFor(task.title);
}

/** A task is given to an agent: what is to be done first and that it was given are one transaction. */
export function dispatchTo(
  sheet: Sheet,
  task: Task,
  order: DispatchOrder,
  intent: { intent: 'run' | 'dispatch' | 'start_project' | 'autopilot' },
): Applied {
  const { ledger, commit, now, key } = sheet;
  if (task.status === 'done')
    return { outcome: { kind: 'already', move: 'done', task: boardTask(task) }, events: [] };
  const asker = askerOf(foreman, order.agent, now);
  const move = order.mode === 'manual' ? byHand(task, asker) : forWorker(task, asker);
  if (move.kind === 'no') return declined(intent, task, move);
  const commands = [...lowering(task, order, sheet), ...(move.kind === 'commands' ? move.commands : [])];
  const notes = [dispatchNote(task.id, foreman, order)];
  const done = applyTogether(ledger, commands, now, commit, { key, notes });
  if (!done.ok) return refusedBy(done, intent, task);
  const after = boardTask(ledger.get(task.id) ?? task);
  const { agent, mode } = order;
  return { outcome: { kind: 'dispatched', task: after, agent, mode }, events: done.events };
}

/** A task that is to be done in somebody else's words is no more than those are. */
function lowering(task: Task, { text }: DispatchOrder, { trust }: Sheet): Command[] {
  if (text === undefined || trust?.level !== 'low' || isLow(task)) return [];
  return [{ type: 'edit', id: task.id, by: foreman, set: { trust } }];
}

/** A task that is made for somebody is theirs at once, where a name in front of a command is more than a remark. */
export function createdFor(
  sheet: Sheet,
  intent: Extract<Intent, { intent: 'create_task' }>,
  actor: string,
  agent: string,
): Applied {
  const { ledger, commit, now, key } = sheet;
  const create = creation(sheet, intent, actor, agent);
  const { id } = create;
  const { until } = askerOf(foreman, agent, now);
  const commands: Command[] = [create, { type: 'claim', id, by: foreman, owner: agent, until }];
  const notes = [dispatchNote(id, foreman, { agent, mode: 'manual' })];
  const done = applyTogether(ledger, commands, now, commit, { key, notes });
  const task = ledger.get(id);
  if (!done.ok || !task) return refusedBy(done.ok ? { code: 'not-found', message: id } : done, intent, task);
  return {
    outcome: { kind: 'dispatched', task: boardTask(task), agent, mode: 'manual' },
    events: done.events,
  };
}

/** The agent has the task from now on, and its report ends it. */
function byHand(task: Task, asker: Asker): Move {
  if (task.status === 'running' && task.lease.kind === 'process') return no('at_work');
  const isWith = task.owner === asker.who && (task.status === 'queued' || task.status === 'running');
  return isWith ? { kind: 'already' } : moveFor({ intent: 'claim_task', taskId: task.id }, task, asker);
}

/** Free for the process that will take it up: what the same agent was to do by hand, docket does now. */
function forWorker(task: Task, asker: Asker): Move {
  const { id } = task;
  const reason = `dispatched to ${asker.who}`;
  const requeue: Command = { type: 'requeue', id, by: asker.actor, reason };
  switch (task.status) {
    case 'queued': {
      if (task.token === undefined || task.lease === undefined) return { kind: 'already' };
      if (isHeld(task, asker.now) && task.owner !== asker.who) return no('held', task.owner);
      return {
        kind: 'commands',
        commands: [{ type: 'release', id, by: asker.actor, token: task.token, reason }],
      };
    }
    case 'running':
      if (task.lease.kind === 'process') return no('at_work');
      return isHeld(task, asker.now) && task.owner !== asker.who
        ? no('held', task.owner)
        : { kind: 'commands', commands: [requeue] };
    case 'blocked':
    case 'failed':
      return { kind: 'commands', commands: [requeue] };
    case 'review':
      return no('illegal', task.owner);
    case 'done':
    case 'canceled':
      return no('illegal');
  }
}
