import type { IdOf } from '../../../layout/layout.ts';
import type { Wrong } from '../../../schema/problem.ts';
import type { Fields } from '../../../task/json.ts';
import { refOf } from './ref.ts';

/** The names in `needs`, a key that docket has added to the format: one, or a list of them. */
function needsIn(fields: Fields): string[] {
  const { needs = [] } = fields;
  return (Array.isArray(needs) ? needs : [needs]).filter((name) => typeof name === 'string');
}

/** The ids that they stand for. A name that nobody knows is an error: the task would run too early, or never. */
export function neededBy(fields: Fields, idOf: IdOf): string[] | Wrong {
  const ids: string[] = [];
  for (const name of needsIn(fields)) {
    const id = idOf(refOf(name, 1)) ?? idOf(name);
    if (id === undefined) return unknown(name);
    if (!ids.includes(id)) ids.push(id);
  }
  return ids;
}

function unknown(name: string): Wrong {
  const message = `needs: there is no task ${JSON.stringify(name)}`;
  return { message, fix: 'Write the name of another task of this file, or take it out.', line: 0, column: 0 };
}
