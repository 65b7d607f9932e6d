import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { nearest } from '../../errors/nearest.ts';
import type { Store } from '../../store/store.ts';
import type { Task } from '../../task/schema.ts';
import { ownOf } from './format/record.ts';

/** People name tasks by id or by the name of their entry. */
export async function idsOf(store: Store, wanted: readonly string[]): Promise<string[]> {
  const found = await Promise.all(wanted.map((ref) => store.get(ref)));
  if (found.every((task) => task !== undefined)) return [...wanted];
  const tasks = await store.list();
  return wanted.map((ref) => taskNamed(tasks, ref).id);
}

export async function idsByName(store: Store): Promise<Map<string, string>> {
  const tasks = await store.list();
  return new Map(tasks.map((task) => [ownOf(task).name, task.id]));
}

/** By id, by name, or by how the name of one task alone begins. Where that stands for several, only an id says which. */
export function taskNamed(tasks: readonly Task[], ref: string): Task {
  const found = tasks.find(({ id }) => id === ref);
  if (found) return found;
  const named = tasks.filter((task) => ownOf(task).name === ref);
  const meant =
    named.length > 0 || ref.length < shortest
      ? named
      : tasks.filter((task) => ownOf(task).name.startsWith(ref));
  const [first, ...others] = meant;
  if (first && others.length === 0) return first;
  if (!first) throw noTask(tasks, ref);
  const ids = meant.map(({ id }) => id);
  const how = named.length > 0 ? 'are named' : 'have names that begin with';
  // Of those of one name the id says which, and the title to whom it belongs.
  const calls = meant.map((task) =>
    named.length > 0 ? `${task.id} (${task.title.slice(0, 60)})` : ownOf(task).name,
  );
  throw new DocketError(
    'INVALID',
    `${ids.length} tasks ${how} "${ref}"`,
    `say which: ${calls.slice(0, 10).join(', ')}${calls.length > 10 ? ', …' : ''}`,
    {
      ref,
      ids,
    },
  );
}

/** Among these if one of them is meant, else among all. */
export function taskNamedFirst(these: readonly Task[], all: readonly Task[], ref: string): Task {
  try {
    return taskNamed(these, ref);
  } catch (error) {
    if (error instanceof DocketError && error.code === 'NOT_FOUND') return taskNamed(all, ref);
    throw error;
  }
}

/** A beginning that is shorter than this is more likely a slip. */
const shortest = 3;

function noTask(tasks: readonly Task[], ref: string): DocketError {
  const listed = fix`${command`list`} shows ids and names`;
  const near = nearest(
    ref,
    tasks.map((task) => ownOf(task).name),
  );
  const todo = near === undefined ? listed : fix`did you mean "${near}"? ${listed}`;
  return new DocketError('NOT_FOUND', `there is no task "${ref}"`, todo, {
    ref,
    ...(near !== undefined && { suggestion: near }),
  });
}
