import type { Command } from '../../task/command.ts';
import type { Fields } from '../layout.ts';
import { idFor } from './id.ts';
import { createdAtIn, ownIn, priorityIn, specIn, titleIn } from './own.ts';
import { byFile, pathTo } from './path.ts';
import { toExtras } from './record.ts';
import { nthOf } from './ref.ts';
import { stateIn } from './state.ts';

/** Takes a record that somebody wrote for a task: makes it, and leads it to the state that the record is in. */
export function adopt(fields: Fields, ref: string): { id: string; commands: Command[] } {
  const nth = nthOf(ref);
  const createdAt = createdAtIn(fields);
  const id = idFor(fields['name'] as string, fields['created_at'] as string, nth);
  const priority = priorityIn(fields);
  const create: Command = {
    type: 'create',
    id,
    by: byFile,
    title: titleIn(fields),
    spec: specIn(fields),
    extras: { queue: toExtras(ownIn(fields, nth)) },
    when: createdAt,
    ...(priority !== undefined && { priority }),
  };
  return { id, commands: [create, ...pathTo({ id, status: 'queued' }, stateIn(fields, createdAt), fields)] };
}
