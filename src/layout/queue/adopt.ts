import type { Command } from '../../task/command.ts';
import type { Fields, IdOf, Wrong } from '../layout.ts';
import { idFor } from './id.ts';
import { neededBy } from './needs.ts';
import { createdAtIn, ownIn, priorityIn, specIn, titleIn } from './own.ts';
import { byFile, pathTo } from './path.ts';
import { toExtras, type Own } from './record.ts';
import { nthOf } from './ref.ts';
import { stateIn } from './state.ts';

/** Takes a record that somebody wrote for a task: makes it, and leads it to the state that the record is in. */
export function adopt(
  fields: Fields,
  ref: string,
  idOf: IdOf = () => undefined,
): { id: string; commands: Command[] } | Wrong {
  const nth = nthOf(ref);
  const createdAt = createdAtIn(fields);
  const id = idFor(fields['name'] as string, fields['created_at'] as string, nth);
  const priority = priorityIn(fields);
  const needs = neededBy(fields, idOf);
  if (!Array.isArray(needs)) return needs;
  const create: Command = {
    type: 'create',
    id,
    by: byFile,
    title: titleIn(fields),
    spec: specIn(fields),
    extras: { queue: toExtras(needing(ownIn(fields, nth), needs)) },
    when: createdAt,
    ...(priority !== undefined && { priority }),
    ...(needs.length > 0 && { needs }),
  };
  return { id, commands: [create, ...pathTo({ id, status: 'queued' }, stateIn(fields, createdAt), fields)] };
}

/** With the ids that the record's names stood for: the names are told again for as long as they do. */
export function needing(own: Own, needs: readonly string[]): Own {
  return own.kept['needs'] === undefined ? own : { ...own, said: { ...own.said, needs: [...needs] } };
}
