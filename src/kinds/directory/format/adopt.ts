import { epoch } from '../../../schema/time.ts';
import type { Command } from '../../../task/command.ts';
import type { Fields } from '../../../task/json.ts';
import { ownIn, type Kept } from './own.ts';
import type { TaskFile } from './task-file.ts';

/** What people and other tools do in a file, they do as "file". */
export const byFile = 'file';

/** Takes a task that another tool made, and leads it to the state that its file is in. */
export function adopt(fields: Fields): { id: string; commands: Command[] } {
  const file = fields as TaskFile;
  const { id, title, description, state, createdAt, updatedAt } = file;
  const own: Kept = ownIn(file);
  if (updatedAt !== null) own.said = { state, updatedAt };
  const made = createdAt ?? updatedAt;
  const create: Command = {
    type: 'create',
    id,
    by: byFile,
    title,
    spec: { body: description },
    extras: { agentmesh: own },
    ...(made !== null && { when: made }),
  };
  return { id, commands: [create, ...steps(file).map((step) => ({ id, by: byFile, ...step }))] };
}

type Step = Command extends infer C ? (C extends Command ? Omit<C, 'id' | 'by'> : never) : never;

function steps({ state, createdAt, updatedAt, gates }: TaskFile): Step[] {
  const reason = `task.yaml says ${state}`;
  const at = updatedAt ?? createdAt;
  const when = at === null ? {} : { when: at };
  switch (state) {
    case 'created':
    case 'working':
      return [];
    case 'input-required': {
      const text = gates.find((gate) => gate.state === 'blocked' && gate.reason !== '')?.reason ?? reason;
      return [{ type: 'block', reason: { kind: 'gate', text, who: 'a person' } }];
    }
    case 'completed': {
      const start = createdAt === null ? when : { when: createdAt };
      return [
        { type: 'start', owner: 'unknown', lease: { kind: 'term', until: at ?? epoch }, ...start },
        { type: 'settle', verdict: { kind: 'pass' }, summary: '', ...when },
      ];
    }
    case 'failed':
      return [{ type: 'fail', failure: { error: reason }, ...when }];
    case 'canceled':
      return [{ type: 'cancel', reason, ...when }];
  }
}
