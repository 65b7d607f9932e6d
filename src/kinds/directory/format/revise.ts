import type { Wrong } from '../../../schema/problem.ts';
import { same } from '../../../schema/same.ts';
import type { Command } from '../../../task/command.ts';
import type { Fields } from '../../../task/json.ts';
import type { Edit, Task } from '../../../task/schema.ts';
import { byFile } from './adopt.ts';
import { describe } from './describe.ts';
import { moves } from './moves.ts';
import { ownOf } from './own.ts';
import { agentSteps } from './roster.ts';
import type { FileGate, Own, TaskFile } from './task-file.ts';

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
    fix: `Put it back to ${task.id}, or make another task with "docket task create".`,
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
  const fix = `Put its state back to ${state}; while it is blocked, answer with "docket gate approve ${id} ${gate}" or "docket gate reject ${id} ${gate}".`;
  return { message, fix, line: 0, column: 0 };
}
