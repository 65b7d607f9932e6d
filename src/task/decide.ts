import { hasTerm, isHeld, isOver, isRunByDocket, mayMove } from './allowed.ts';
import type { Command, CommandOf } from './command.ts';
import { adopt, takenUp } from './decide-adopt.ts';
import { decideRun } from './decide-run.ts';
import { isTaskId } from './id.ts';
import { findCycle, type TaskView } from './needs.ts';
import { illegal, no, yes, type Decision } from './refusal.ts';
import type { NewEvent, Task } from './schema.ts';
import { isFinal, type MoveType } from './status.ts';
import { isAfter } from './time.ts';

export type { Decision };

/** The one place that says yes or no. Pure: what it knows is the view, the command and the time it is given. */
export function decide(view: TaskView, command: Command, now: string): Decision {
  if (!isTaskId(command.id)) return badId(command.id);
  const task = view.get(command.id);
  if (command.type === 'create') return create(view, task, command);
  if (task?.removedAt !== undefined && command.type === 'restore') {
    return yes(task, command, { type: 'task.restored', data: { reason: command.reason } });
  }
  if (task === undefined || task.removedAt !== undefined) {
    return no('not-found', task, `there is no task ${command.id}`, { id: command.id });
  }
  switch (command.type) {
    case 'edit':
      return edit(view, task, command);
    case 'claim':
      if (holderOtherThan(task, command.owner, now)) return held(task);
      if (!isAfter(command.until, now)) return over(task, command.until);
      return move(task, command, 'task.claimed', {
        owner: command.owner,
        lease: { kind: 'term', until: command.until },
      });
    case 'start':
      if (holderOtherThan(task, command.owner, now)) return held(task);
      return move(task, command, 'task.started', {
        owner: command.owner,
        lease: command.lease,
        ...when(command),
      });
    case 'release':
      return fenced(task, command) ?? move(task, command, 'task.released', { reason: command.reason });
    case 'renew':
      return fenced(task, command) ?? renew(task, command, now);
    case 'submit':
      return fenced(task, command) ?? move(task, command, 'task.submitted', { summary: command.summary });
    case 'settle':
      return fenced(task, command) ?? settle(task, command);
    case 'block':
      return fenced(task, command) ?? move(task, command, 'task.blocked', { reason: command.reason });
    case 'requeue':
      return (
        fenced(task, command) ??
        move(task, command, 'task.requeued', {
          reason: command.reason,
          ...(command.lost && { lost: command.lost }),
        })
      );
    case 'fail':
      return (
        fenced(task, command) ??
        move(task, command, 'task.failed', { failure: command.failure, ...when(command) })
      );
    case 'cancel':
      return withSteps(task, command, move(task, command, 'task.canceled', canceled(command)));
    case 'reopen':
      return withTakenUp(task, command, move(task, command, 'task.reopened', { reason: command.reason }));
    case 'archive':
      return atRest(task, 'archived') ?? yes(task, command, { type: 'task.archived', data: {} });
    case 'remove':
      return (
        atRest(task, 'removed') ??
        yes(task, command, { type: 'task.removed', data: { reason: command.reason } })
      );
    case 'restore':
      return no('illegal', task, `task ${task.id} was not removed: there is nothing to restore`, {});
    case 'end':
      return ended(task, command);
    case 'adopt':
      return adopt(task, command);
    default:
      return fenced(task, command) ?? decideRun(task, command);
  }
}

function create(view: TaskView, task: Task | undefined, command: CommandOf<'create'>): Decision {
  if (task !== undefined)
    return no('exists', task, `there is a task ${command.id} already`, { id: command.id });
  const { type: _, id, by, ...data } = command;
  const stray = [data.parent, data.relatedTo].find((other) => other !== undefined && !isTaskId(other));
  if (stray !== undefined) return badId(stray);
  return (
    wrongNeeds(view, undefined, id, data.needs ?? []) ?? {
      ok: true,
      events: [{ type: 'task.created', taskId: id, by, data }],
    }
  );
}

function edit(view: TaskView, task: Task, command: CommandOf<'edit'>): Decision {
  if (Object.keys(command.set).length === 0) return invalid(task, 'the edit changes nothing');
  return (
    wrongNeeds(view, task, task.id, command.set.needs ?? []) ??
    yes(task, command, { type: 'task.edited', data: { set: command.set } })
  );
}

function renew(task: Task, command: CommandOf<'renew'>, now: string): Decision {
  if (!hasTerm(task)) {
    return no('illegal', task, `task ${task.id} is held by a process: it has no term to renew`, {
      status: task.status,
    });
  }
  if (!isAfter(command.until, now)) return over(task, command.until);
  return yes(task, command, { type: 'task.renewed', data: { until: command.until } });
}

function wrongNeeds(
  view: TaskView,
  task: Task | undefined,
  id: string,
  needs: readonly string[],
): Decision | undefined {
  const cycle = findCycle(view, id, needs);
  if (cycle) return no('cycle', task, `these tasks would wait for each other: ${shown(cycle)}`, { cycle });
  const unknown = [...new Set(needs)].filter((need) => !exists(view.get(need)));
  if (unknown.length === 0) return undefined;
  const names = unknown.slice(0, 10).map(quoted).join(', ');
  return no('unknown-need', task, `task ${id} needs ${names}, which does not exist`, { unknown });
}

/** A removed task never becomes done: whoever needed it would wait for ever. */
function exists(task: Task | undefined): boolean {
  return task !== undefined && task.removedAt === undefined;
}

/** The data has the whole path; a message is read by people. */
function shown(cycle: readonly string[]): string {
  const short = cycle.length <= 20 ? cycle : [...cycle.slice(0, 10), '…', ...cycle.slice(-9)];
  return short.join(' → ');
}

/** Only a gate's verdict leads to done. A retry in review goes back to the worker, who still holds the task. */
function settle(task: Task, command: CommandOf<'settle'>): Decision {
  const { verdict } = command;
  // Without this a late verdict could fail, block or requeue a task that nobody is working on.
  if (!mayMove('task.done', task.status)) return illegal(task, 'settled');
  switch (verdict.kind) {
    case 'pass':
      // A process that runs a task proves it. Nobody else can end it as done while it does.
      if (command.token === undefined && isRunByDocket(task)) return held(task);
      return move(task, command, 'task.done', { summary: command.summary, verdict, ...when(command) });
    case 'retry':
      return task.status === 'review'
        ? move(task, command, 'task.returned', { reason: verdict.reason })
        : move(task, command, 'task.requeued', { reason: verdict.reason });
    case 'hold':
      return move(task, command, 'task.blocked', { reason: verdict.reason });
    case 'fail':
      return move(task, command, 'task.failed', { failure: { error: verdict.reason }, ...when(command) });
  }
}

function move<T extends MoveType>(
  task: Task,
  command: Command,
  type: T,
  data: Extract<NewEvent, { type: T }>['data'],
): Decision {
  if (!mayMove(type, task.status)) return illegal(task, type.slice('task.'.length));
  return yes(task, command, { type, data });
}

function canceled(command: CommandOf<'cancel'>) {
  return { reason: command.reason, ...when(command) };
}

/** A task that is given up takes with it what it had ordered, and nobody need answer its gates any more. */
function withSteps(task: Task, command: CommandOf<'cancel'>, decision: Decision): Decision {
  const { run } = task;
  if (!decision.ok || !run) return decision;
  const given = run.steps
    .filter(({ id }) => !isOver(run, id))
    .map(({ id }): NewEvent => {
      const data = { step: id, state: 'canceled' as const, reason: command.reason };
      return { type: 'step.ended', taskId: task.id, by: command.by, data };
    });
  const shut = Object.entries(run.gates)
    .filter(([, { state }]) => state === 'blocked')
    .map(([gate]): NewEvent => {
      const data = { gate, decision: 'rejected' as const, note: command.reason };
      return { type: 'gate.answered', taskId: task.id, by: command.by, data };
    });
  return { ok: true, events: [...given, ...shut, ...decision.events] };
}

function withTakenUp(task: Task, command: CommandOf<'reopen'>, decision: Decision): Decision {
  return decision.ok ? { ok: true, events: [...decision.events, ...takenUp(task, command)] } : decision;
}

/** A living claim of somebody else. A process lease lives until recovery has said otherwise (an event). */
function holderOtherThan(task: Task, owner: string, now: string): boolean {
  if (!('lease' in task) || task.lease === undefined || task.owner === owner) return false;
  return task.lease.kind === 'process' || isAfter(task.lease.until, now);
}

function fenced(task: Task, command: Command & { token?: number }): Decision | undefined {
  if (command.token === undefined) return undefined;
  const current = 'token' in task ? task.token : undefined;
  if (current === command.token) return undefined;
  return no(
    'fenced',
    task,
    `the claim ${command.token} on task ${task.id} has ended; this write comes too late`,
    {
      token: command.token,
      current: current ?? null,
    },
  );
}

/** That an agent ended is a fact, also when nobody holds its task any more; said a second time it comes too late. */
function ended(task: Task, command: CommandOf<'end'>): Decision {
  const late = fenced(task, { token: 0, ...command });
  const decision = late === undefined || !isHeld(task) ? decideRun(task, command) : late;
  return decision.ok ? decision : (late ?? decision);
}

function atRest(task: Task, word: string): Decision | undefined {
  if (isFinal(task.status) || task.status === 'failed') return undefined;
  return no('illegal', task, `task ${task.id} is ${task.status}: only a finished task can be ${word}`, {
    status: task.status,
  });
}

function held(task: Task): Decision {
  const lease = 'lease' in task ? task.lease : undefined;
  const until = lease?.kind === 'term' ? ` until ${lease.until}` : '';
  return no('held', task, `task ${task.id} is held by ${task.owner}${until}`, { owner: task.owner, lease });
}

function when(command: { when?: string }): { when?: string } {
  return command.when === undefined ? {} : { when: command.when };
}

function invalid(task: Task | undefined, message: string): Decision {
  return no('invalid', task, message, {});
}

function over(task: Task, until: string): Decision {
  return invalid(task, `a claim until ${until} is over already`);
}

/** No command is possible for what is not an id, so nothing is offered. */
function badId(id: unknown): Decision {
  const message = `${quoted(id)} is not a task id: use 1 to 128 letters, digits, "_" and "-"`;
  return { ok: false, refusal: { code: 'invalid', message, allowed: [], data: {} } };
}

/** Text from outside inside a message: short, nothing that a terminal obeys, and a look-alike is seen as one. */
function quoted(text: unknown): string {
  const plain = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(String(text).slice(0, 60)).replaceAll(/[^ -~]/g, plain);
}
