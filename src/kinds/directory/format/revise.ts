import { command, fix } from '../../../errors/command.ts';
import { same } from '../../../schema/json.ts';
import type { Wrong } from '../../../schema/problem.ts';
import type { Command } from '../../../task/command.ts';
import type { Fields } from '../../../task/json.ts';
import type { Edit, Task } from '../../../task/schema.ts';
import { byFile } from './adopt.ts';
import { agentSteps, describe } from './describe.ts';
import { ownOf } from './own.ts';
import type { FileGate, Own, TaskFile } from './task-file.ts';
import { stateWord } from './words.ts';

/** Where a changed state leads. Only what a person may decide alone can be written; the rest has a command. */
function moves(task: Task, file: TaskFile, changed: readonly string[], answered: boolean): Command[] | Wrong {
  const about = { id: task.id, by: byFile, reason: 'task.yaml was changed' };
  const isFree = changed.includes('gates') && opensLast(task, file);
  if (!changed.includes('state')) return isFree ? [{ type: 'requeue', ...about }] : [];
  if (file.state === 'canceled' && mayCancel(task)) return [{ type: 'cancel', ...about }];
  if (file.state === 'completed' && mayBeMarked(task)) return markedDone(task);
  // An answer lets the task go on by itself, whichever word they chose for that.
  const goesOn = file.state === 'created' || file.state === 'working';
  if (answered && goesOn) return [];
  const waiting = Object.entries(task.run?.gates ?? {}).find(([, { state }]) => state === 'blocked')?.[0];
  const atRest = task.status === 'failed' || task.status === 'blocked';
  if (atRest && waiting === undefined && (file.state === 'created' || (isFree && goesOn))) {
    return [{ type: 'requeue', ...about }];
  }
  return { message: refusal(task, file), fix: fixFor(task, waiting), line: 0, column: 0 };
}

/** Gates that another tool closed are people's to open in the file, which is the only place that knows them. */
function opensLast(task: Task, file: TaskFile): boolean {
  if (task.status !== 'blocked' || task.reason.kind !== 'gate' || task.run) return false;
  const wasBlocked = ownOf(task).gates.some(({ state }) => state === 'blocked');
  return wasBlocked && file.gates.every(({ state }) => state === 'open' || state === 'approved');
}

/** Nobody works on it, and it is not over: a person may call it done. It is shown as not proved. */
function mayBeMarked({ status }: Task): boolean {
  return status === 'queued' || status === 'blocked' || status === 'failed';
}

function markedDone({ id, updatedAt: until }: Task): Command[] {
  const about = { id, by: byFile };
  return [
    { ...about, type: 'start', owner: 'unknown', lease: { kind: 'term', until } },
    { ...about, type: 'settle', verdict: { kind: 'pass' }, summary: '' },
  ];
}

function mayCancel({ status }: Task): boolean {
  return status !== 'done' && status !== 'canceled';
}

function refusal(task: Task, { state }: TaskFile): string {
  return `task ${task.id} is ${stateWord(task)}, and does not become ${state} by a word in this file`;
}

function fixFor(task: Task, waiting: string | undefined): string {
  const back = `Put the state back to ${stateWord(task)}`;
  const { id } = task;
  if (waiting !== undefined)
    return fix`${back}; answer with "${command`gate approve ${id} ${waiting}`}".`.text;
  switch (task.status) {
    case 'done':
    case 'canceled':
      return fix`${back}; it is final: "${command`task create`}" makes a new one.`.text;
    case 'running':
    case 'review':
      return fix`${back}; "${command`task cancel ${id}`}" ends it.`.text;
    default:
      return fix`${back}; "${command`task run ${id}`}" does the work, "${command`task cancel ${id}`}" gives it up.`
        .text;
  }
}

/**
 * What a person meant who changed these keys of task.yaml. Times are docket's own, and so is what it says of its steps:
 * they come back as they are. What could mean two things is asked for as a command.
 */
export function revise(task: Task, fields: Fields, changed: readonly string[]): Command[] | Wrong {
  if (changed.includes('id')) return otherId(task);
  const file = fields as TaskFile;
  const answered = changed.includes('gates') ? answers(task, file.gates) : [];
  if (!Array.isArray(answered)) return answered;
  const moved = moves(task, file, changed, answered.length > 0);
  if (!Array.isArray(moved)) return moved;
  const set = edits(task, file, changed);
  const edit: Command[] = Object.keys(set).length > 0 ? [{ type: 'edit', id: task.id, by: byFile, set }] : [];
  return [...edit, ...answered, ...moved];
}

function edits(task: Task, file: TaskFile, changed: readonly string[]): Edit {
  const set: Edit = {};
  if (changed.includes('title')) set.title = file.title;
  if (changed.includes('description')) set.spec = { ...task.spec, body: file.description };
  const { said, ...before } = ownOf(task);
  const own = revised(task, before, file, changed);
  const isEdit = Object.keys(set).length > 0 || !same(own, before);
  // From now on docket's own time of the last change holds.
  if (!same(own, before) || (isEdit && said)) set.extras = { ...task.extras, agentmesh: own };
  return set;
}

function revised(task: Task, before: Own, file: TaskFile, changed: readonly string[]): Own {
  const own = { ...before };
  if (changed.includes('topology')) own.topology = file.topology;
  if (changed.includes('config')) own.config = file.config;
  if (changed.includes('gates')) {
    const run = new Set(Object.keys(task.run?.gates ?? {}));
    own.gates = file.gates.flatMap((gate) =>
      run.has(gate.id) ? before.gates.filter(({ id }) => id === gate.id) : [gate],
    );
  }
  if (changed.includes('milestones')) {
    const shown = new Map(describe(task).milestones.map(({ id, state }) => [id, state]));
    const kept = new Map(before.milestones.map(({ id, state }) => [id, state]));
    // A state that docket had worked out is not a person's word.
    own.milestones = file.milestones.map((one) =>
      one.state === shown.get(one.id) ? { ...one, state: kept.get(one.id) ?? one.state } : one,
    );
  }
  if (changed.includes('roster')) {
    const steps = new Set(agentSteps(task).map(({ id }) => id));
    const known = new Set(before.roster.map(({ instance }) => instance));
    own.roster = file.roster.filter(
      ({ instance, skills }) => !steps.has(instance) || known.has(instance) || skills.length > 0,
    );
  }
  return own;
}

function otherId(task: Task): Wrong {
  return {
    message: 'the id of a task cannot be changed: it is the name of its folder, and of it in every event',
    fix: fix`Put it back to ${task.id}, or make another task with "${command`task create`}".`.text,
    line: 0,
    column: 0,
  };
}

/** What people answered by writing "approved" or "rejected" behind a gate that waits for them. */
function answers(task: Task, gates: readonly FileGate[]): Command[] | Wrong {
  const shown = new Map(describe(task).gates.map((gate) => [gate.id, gate]));
  const commands: Command[] = [];
  for (const { id, state, blockedAt } of gates) {
    const gate = task.run && Object.hasOwn(task.run.gates, id) ? task.run.gates[id] : undefined;
    if (!gate || state === shown.get(id)?.state) continue;
    if (gate.state !== 'blocked' || (state !== 'approved' && state !== 'rejected')) {
      return not(task, id, `gate ${id} is ${gate.state}, and cannot become ${state} here`, gate.state);
    }
    if (blockedAt !== gate.blockedAt) {
      return not(task, id, `gate ${id} has closed again since this answer: ${gate.reason}`, gate.state);
    }
    commands.push({ type: 'answer', id: task.id, by: byFile, gate: id, decision: state, times: gate.times });
  }
  return commands;
}

function not({ id }: Task, gate: string, message: string, state: string): Wrong {
  const { text } =
    fix`Put its state back to ${state}; while it is blocked, answer with "${command`gate approve ${id} ${gate}`}" or "${command`gate reject ${id} ${gate}`}".`;
  return { message, fix: text, line: 0, column: 0 };
}
