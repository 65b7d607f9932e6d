import type { Wrong } from '../../../schema/problem.ts';
import type { Command } from '../../../task/command.ts';
import type { Task } from '../../../task/schema.ts';
import { byFile } from './adopt.ts';
import { describe } from './describe.ts';
import type { FileGate } from './task-file.ts';

/** What people answered by writing "approved" or "rejected" behind a gate that waits for them. */
export function answers(task: Task, gates: readonly FileGate[]): Command[] | Wrong {
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
