import type { Fields, Json } from '../../../task/json.ts';
import type { BlockReason, Task } from '../../../task/schema.ts';

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

type Extras = Task['extras'];

type Is<T> = (value: Json | undefined) => value is T & Json;

/** An object with these fields. */
function isOf<T extends object>(fields: Readonly<Record<string, Is<unknown>>>): Is<T> {
  return (value): value is T & Json => {
    const object = asObject(value);
    return object !== undefined && Object.entries(fields).every(([key, is]) => is(object[key]));
  };
}

/**
 * What docket notes about a task of the queue, in `extras.queueRun`: apart from what people say in its record
 * (`extras.queue`), because both change while it runs, and neither may undo the other.
 */
const notes = {
  /** The folder of its run below `.takt/runs`. */
  runSlug: isText,
  /** Where it is worked on: absolute, or absent for in place. */
  workspace: isText,
  branch: isText,
  /** The branch that it was made from, and the commit. */
  base: isText,
  baseCommit: isText,
  /** What docket committed last on the branch. */
  commit: isText,
  /** The branch is on this remote. */
  pushed: isText,
  prUrl: isText,
  /** The work is done, and could not be handed over. */
  deliveryError: isText,
  merged: isOf<{ into: string; commit: string }>({ into: isText, commit: isText }),
  /** Where everything of its workspace was kept before it was deleted. */
  keptAs: isText,
  /** What it was when it was deleted, if it had not come to an end, and why it was blocked then. */
  deletedFrom: isText,
  deletedBlock: isOf<BlockReason>({ kind: isText, text: isText, who: isText }),
  /** The step limit that it reached, and how many steps it took. */
  exceeded: isOf<{ max: number; at: number }>({ max: isCount, at: isCount }),
  /** The step with which its run came to an end: who puts it back after that is a person. */
  ended: isText,
  /** Steps that it may take, when a person has allowed more than its workflow does. */
  maxSteps: isCount,
  /** Where a person wants it to go on, and what they say to it. */
  from: isText,
  note: isText,
};
type Notes = typeof notes;
export type Noted = { [K in keyof Notes]?: Notes[K] extends Is<infer T> ? T : never };

/** Extras come from a journal that other tools can write: what makes no sense is left out. */
export function notedOf({ extras }: Pick<Task, 'extras'>): Noted {
  const found = extras['queueRun'] ?? {};
  const noted: Record<string, Json> = {};
  for (const [key, value] of Object.entries(found))
    if (Object.hasOwn(notes, key) && notes[key as keyof Notes](value)) noted[key] = value;
  return noted;
}

/** The extras with these set (undefined: taken out), and nothing else: an edit of it leaves the record alone. */
export function withNoted(extras: Extras, set: { [K in keyof Noted]?: Noted[K] | undefined }): Extras {
  const entries = Object.entries({ ...notedOf({ extras }), ...set }).filter(
    ([, value]) => value !== undefined,
  );
  return { queueRun: Object.fromEntries(entries) as Record<string, Json> };
}

/** What people ask for in a task's record, beside what the core has a place for. Unchecked: they may write anything. */
export interface Wishes {
  branch?: string;
  base?: string;
  slug?: string;
  autoPr: boolean;
  draftPr: boolean;
  /** Push the branch, also without a pull request. */
  publish: boolean;
  issue?: number;
  startStep?: string;
  retryNote?: string;
  taskDir?: string;
  contentFile?: string;
  /** Steps that it may take, where an earlier run has reached its limit. */
  maxSteps?: number;
}

/** Never what docket noted itself: that is `notedOf`. */
export function wishesOf(task: Pick<Task, 'id' | 'extras'>): Wishes {
  const { kept } = ownOf(task);
  const text = (...keys: string[]) => first(keys, kept, isText);
  const count = (...keys: string[]) =>
    first(keys, kept, (value): value is number => isCount(value) && value > 0);
  return {
    autoPr: kept['auto_pr'] === true,
    draftPr: kept['draft_pr'] === true,
    publish: kept['should_publish_branch_to_origin'] === true,
    ...some('branch', text('branch')),
    ...some('base', text('base_branch')),
    ...some('slug', text('slug')),
    ...some('issue', count('issue')),
    ...some('startStep', text('start_step', 'start_movement')),
    ...some('retryNote', text('retry_note')),
    ...some('taskDir', text('task_dir')),
    ...some('contentFile', text('content_file')),
    ...some('maxSteps', count('exceeded_max_steps', 'exceeded_max_movements')),
  };
}

function first<T extends Json>(
  keys: readonly string[],
  kept: Readonly<Record<string, Json>>,
  is: (value: Json | undefined) => value is T,
): T | undefined {
  return keys.map((key) => kept[key]).find(is);
}

function some<K extends keyof Wishes>(key: K, value: Wishes[K] | undefined): Partial<Pick<Wishes, K>> {
  return value === undefined ? {} : ({ [key]: value } as Pick<Wishes, K>);
}

/** An empty text is how some tools write "none". */
function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

function isCount(value: Json | undefined): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
