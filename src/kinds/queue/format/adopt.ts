import { createHash } from 'node:crypto';
import type { IdOf } from '../../../layout/layout.ts';
import type { Wrong } from '../../../schema/problem.ts';
import { timeOf } from '../../../schema/time.ts';
import type { Command } from '../../../task/command.ts';
import { idFrom } from '../../../task/id.ts';
import type { Fields } from '../../../task/json.ts';
import { nthOf, refOf } from './names.ts';
import { createdAtIn, ownIn, priorityIn, specIn, titleIn } from './own.ts';
import { type Own, toExtras } from './record.ts';
import { putRight } from './rules.ts';
import { byFile, pathTo, stateIn } from './state.ts';

type Adopted = { id: string; commands: Command[] } | Wrong;

/**
 * Takes a record that somebody wrote for a task: makes it, and leads it to the state that the record is in. A name and a
 * text are enough: such a task is pending, and made now.
 */
export function adopt(fields: Fields, ref: string, idOf: IdOf = () => undefined): Adopted {
  return make(fields, ref, idOf, '');
}

/** Without a time it is a new record: docket has written one into the record of the task that was removed. */
export function adoptAgain(
  fields: Fields,
  ref: string,
  since: string,
  idOf: IdOf = () => undefined,
): Adopted | undefined {
  return Object.hasOwn(fields, 'created_at') ? undefined : make(fields, ref, idOf, since);
}

function make(written: Fields, ref: string, idOf: IdOf, since: string): Adopted {
  const fields = putRight(written);
  const nth = nthOf(ref);
  const { created_at: made = since } = fields;
  const createdAt = createdAtIn(fields);
  const id = idFor(fields['name'] as string, made as string, nth);
  const priority = priorityIn(fields);
  const needs = neededBy(fields, idOf);
  if (!Array.isArray(needs)) return needs;
  const create: Command = {
    type: 'create',
    id,
    by: byFile,
    title: titleIn(fields),
    spec: specIn(fields),
    extras: { queue: toExtras(needing(ownIn(written, nth), needs)) },
    ...(Object.hasOwn(fields, 'created_at') && { when: createdAt }),
    ...(priority !== undefined && { priority }),
    ...(needs.length > 0 && { needs }),
  };
  return { id, commands: [create, ...pathTo({ id, status: 'queued' }, stateIn(fields, createdAt), fields)] };
}

/** With the ids that the record's names stood for: the names are told again for as long as they do. */
export function needing(own: Own, needs: readonly string[]): Own {
  return own.kept['needs'] === undefined ? own : { ...own, said: { ...own.said, needs: [...needs] } };
}

/**
 * The id of a task that somebody wrote into the file. It follows from what they wrote, so that a reader who may
 * store nothing and the writer who comes after agree on it. Like all ids it sorts by the time the task was made.
 */
export function idFor(name: string, createdAt: string, nth: number): string {
  const ms = Date.parse(timeOf(createdAt) ?? '');
  const hash = createHash('sha256')
    .update(JSON.stringify([name, createdAt, nth]))
    .digest();
  return idFrom(Number.isNaN(ms) ? 0 : ms, hash.readUIntBE(0, 5));
}

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
