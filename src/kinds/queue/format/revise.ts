import type { IdOf } from '../../../layout/layout.ts';
import { same } from '../../../schema/json.ts';
import type { Wrong } from '../../../schema/problem.ts';
import type { Command } from '../../../task/command.ts';
import { failedDelivery } from '../../../task/delivery.ts';
import type { Fields, Json } from '../../../task/json.ts';
import type { Edit, Task } from '../../../task/schema.ts';
import { needing, neededBy } from './adopt.ts';
import { describe } from './describe.ts';
import { noteKeys, notesOf } from './notes.ts';
import { ownIn, priorityIn, specIn, titleIn, wordsIn } from './own.ts';
import { notedOf, type Own, ownOf, stateKeys, toExtras, withNoted } from './record.ts';
import { putRight } from './rules.ts';
import { byFile, isSo, pathTo, stateIn, stillSays } from './state.ts';

/** What a person meant who changed these keys of a task's entry. Keys that they left alone are not looked at. */
export function revise(
  task: Task,
  written: Fields,
  changed: readonly string[],
  idOf: IdOf = () => undefined,
): Command[] | Wrong {
  const fields = putRight(written, describe(task));
  // A time that was only deleted is written again.
  const fixed = changed.find(
    (key) => key === 'name' || (key === 'created_at' && Object.hasOwn(written, key)),
  );
  if (fixed !== undefined) return unchangeable(task, fixed);
  const needs = changed.includes('needs') ? neededBy(fields, idOf) : task.needs;
  if (!Array.isArray(needs)) return needs;
  const own = revisedOwn(task, written, changed);
  const queue = toExtras(changed.includes('needs') ? needing(own, needs) : own);
  const set = edits(task, fields, changed);
  if (!same(needs, task.needs)) set.needs = needs;
  const moved = isMoved(task, fields, changed);
  const extras = {
    ...(!same(queue, toExtras(ownOf(task))) && { queue }),
    ...(moved && settled(task, fields)),
  };
  if (Object.keys(extras).length > 0) set.extras = extras;
  if (moved && failedDelivery(task)) set.delivery = { state: 'none' }; // a person has settled it
  const edit: Command[] = Object.keys(set).length > 0 ? [{ type: 'edit', id: task.id, by: byFile, set }] : [];
  return [...edit, ...(moved ? moves(task, fields) : [])];
}

function edits(task: Task, fields: Fields, changed: readonly string[]): Edit {
  const touched = (...keys: string[]): boolean => keys.some((key) => changed.includes(key));
  const said = specIn(fields);
  const spec = { ...task.spec };
  if (touched('content')) spec.body = said.body;
  if (touched('worktree') && said.workspace) spec.workspace = said.workspace;
  if (touched('piece', 'workflow')) {
    if (said.workflow === undefined) delete spec.workflow;
    else spec.workflow = said.workflow;
  }
  const set: Edit = {};
  if (!same(spec, task.spec)) set.spec = spec;
  if (touched('summary', 'content') && titleIn(fields) !== task.title) set.title = titleIn(fields);
  const priority = priorityIn(fields) ?? 0;
  if (touched('priority') && priority !== task.priority) set.priority = priority;
  return set;
}

/** What the task remembers of its record, with the changed keys as they are now. */
function revisedOwn(task: Task, fields: Fields, changed: readonly string[]): Own {
  const now = ownOf(task);
  const touched = (keys: readonly string[]): boolean => keys.some((key) => changed.includes(key));
  const words = touched(['piece', 'workflow']) ? wordsIn(fields) : now.words;
  const read = ownIn(fields, now.nth, words);
  const kept = { ...now.kept };
  const said = { ...now.said };
  const notes = notesOf(task, 'newer');
  for (const key of changed) {
    take(kept, read.kept, key);
    take(said, noteKeys.includes(key) ? notes : read.said, key);
  }
  if (changed.includes('start_step')) delete kept['start_movement'];
  // A summary is remembered only where it differs from the title that the text gives.
  if (changed.includes('content')) take(said, read.said, 'summary');
  const { state: _, words: _words, ...rest } = now;
  const own: Own = { ...rest, ...(words && { words }), kept, said };
  const state = touched(stateKeys) || words !== now.words ? read.state : now.state;
  return state ? { ...own, state } : own;
}

function take(
  into: Record<string, Json>,
  from: Readonly<Record<string, Json | undefined>>,
  key: string,
): void {
  const value = Object.hasOwn(from, key) ? from[key] : undefined;
  if (value === undefined) delete into[key];
  else into[key] = value;
}

function isMoved(task: Task, fields: Fields, changed: readonly string[]): boolean {
  const words = ownOf(task).words ?? wordsIn(fields) ?? 'spec';
  return changed.some((key) => stateKeys.includes(key)) && !stillSays(fields, task, words);
}

/** Who says what has become of a task has seen what docket noted about its end. One that waits again still knows its limit. */
function settled(task: Task, fields: Fields): Task['extras'] {
  const { exceeded, deliveryError } = notedOf(task);
  if (!exceeded && deliveryError === undefined) return {};
  const waits = fields['status'] === 'pending';
  return withNoted(task.extras, { deliveryError: undefined, ...(!waits && { exceeded: undefined }) });
}

function moves(task: Task, fields: Fields): Command[] {
  const to = stateIn(fields, task.createdAt);
  return isSo(to, task) ? [] : pathTo(task, to, fields);
}

function unchangeable(task: Task, key: string): Wrong {
  const was = describe(task)?.[key];
  return {
    message: `${key} cannot be changed: it is how docket knows this task.`,
    fix: `Put it back to ${JSON.stringify(was ?? null)}, or write a new entry.`,
    line: 0,
    column: 0,
  };
}
