import type { Fields, Json } from '../../../task/json.ts';
import type { Task } from '../../../task/schema.ts';

/**
 * What a task keeps of its record, in `extras.queue`: the keys that the core model has no place for, as they are, and
 * under names that begin with "$" how this record spells what the core does hold. A record's own key that begins with
 * "$" gets a second one.
 */
export interface Own {
  name: string;
  /** Which of the entries of that name; names need not be unique. */
  nth: number;
  /** The newer files say workflow and step, the spec says piece and movement. Absent: whatever its file says. */
  words?: Words;
  kept: Fields;
  /** Spellings that the core's value alone would not give back, each used only while it still means that value. */
  said: Fields;
  /** The same for the status and the keys that go with it, which change together. */
  state?: Fields;
}

export type Words = 'spec' | 'newer';

export const stateKeys: readonly string[] = ['status', 'started_at', 'completed_at', 'owner_pid', 'failure'];

/** The other keys whose values live in the core model. `content` is the body, `summary` the title. */
export const coreKeys: readonly string[] = [
  ...stateKeys,
  'name',
  'piece',
  'workflow',
  'content',
  'created_at',
  'worktree',
  'summary',
  'priority',
];

export function toExtras(own: Own): Record<string, Json> {
  const extras: Record<string, Json> = { name: own.name };
  for (const [key, value] of Object.entries(own.kept)) extras[key.startsWith('$') ? `$${key}` : key] = value;
  if (own.nth > 1) extras['$nth'] = own.nth;
  if (own.words !== undefined) extras['$words'] = own.words;
  if (Object.keys(own.said).length > 0) extras['$said'] = { ...own.said };
  if (own.state) extras['$state'] = { ...own.state };
  return extras;
}

/** A task that another layout made has no record yet: it gets its id for a name, which is free. */
export function ownOf(task: Pick<Task, 'id' | 'extras'>): Own {
  const extras: Fields = task.extras['queue'] ?? {};
  const kept: Record<string, Json> = {};
  for (const [key, value] of Object.entries(extras)) {
    if (key !== 'name' && (!key.startsWith('$') || key.startsWith('$$'))) {
      kept[key.startsWith('$') ? key.slice(1) : key] = value;
    }
  }
  const { name, $nth: nth, $words: words, $state: state } = extras;
  const own: Own = {
    name: typeof name === 'string' && name !== '' ? name : task.id,
    nth: typeof nth === 'number' ? nth : 1,
    ...((words === 'newer' || words === 'spec') && { words }),
    kept,
    said: asObject(extras['$said']) ?? {},
  };
  const known = asObject(state);
  return known ? { ...own, state: known } : own;
}

/** What a command may call it: of entries of one name only the first is called by it. */
export function callName(task: Pick<Task, 'id' | 'extras'>): string {
  const { name, nth } = ownOf(task);
  return nth > 1 ? task.id : name;
}

/** What `docket add` hands to the core for a new task: its body goes to `order.md` in the task's folder. */
export function newRecord(record: {
  name: string;
  taskDir: string;
  more?: Fields;
  words?: Words | undefined;
}): Record<string, Json> {
  const { name, taskDir, more, words } = record;
  return toExtras({ name, nth: 1, ...(words && { words }), kept: { task_dir: taskDir, ...more }, said: {} });
}

function asObject(value: Json | undefined): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}
