import type { Sheet } from '../../../layout/layout.ts';
import { same } from '../../../schema/json.ts';
import { epoch, timeOf } from '../../../schema/time.ts';
import type { Fields, Json } from '../../../task/json.ts';
import type { Spec } from '../../../task/schema.ts';
import { coreKeys, type Own, stateKeys, type Words } from './record.ts';
import { isRight } from './rules.ts';
import { spell, stateIn } from './state.ts';

/** When a record's task was made; the core needs a time even where the record has none that can be read. */
export function createdAtIn(fields: Fields): string {
  return timeOf(fields['created_at']) ?? epoch;
}

export function titleIn(fields: Fields): string {
  return titleOf(fields['summary'], fields['content'], fields['name'] as string);
}

export function specIn(fields: Fields): Spec {
  const { content, worktree } = fields;
  const workflow = fields['workflow'] ?? fields['piece'];
  const spec: Spec = { body: typeof content === 'string' ? content : '', workspace: workspaceIn(worktree) };
  if (typeof workflow === 'string' && workflow !== '') spec.workflow = workflow;
  return spec;
}

function workspaceIn(worktree: Json | undefined): NonNullable<Spec['workspace']> {
  if (typeof worktree === 'string' && worktree !== '') return { kind: 'clone', path: worktree };
  return worktree === true ? { kind: 'clone' } : { kind: 'inplace' };
}

/** How a record says what a workspace wish means; undefined: by saying nothing. */
export function worktreeFor(workspace: Spec['workspace']): Json | undefined {
  return workspace === undefined || workspace.kind === 'inplace' ? undefined : (workspace.path ?? true);
}

export function means(worktree: Json, workspace: Spec['workspace']): boolean {
  return same(worktreeFor(workspaceIn(worktree)), worktreeFor(workspace));
}

/** A priority is no word of this format, but people write it; docket writes it only where they did. */
export function priorityIn(fields: Fields): number | undefined {
  const { priority } = fields;
  return Number.isInteger(priority) && Math.abs(priority as number) <= 100 ? (priority as number) : undefined;
}

/** What a task must remember of its record so that the record can be told again, byte for byte. */
export function ownIn(fields: Fields, nth: number, words: Words | undefined = wordsIn(fields)): Own {
  const name = fields['name'] as string;
  const said: Record<string, Json> = {};
  const remember = (key: string, wanted: boolean): void => {
    const value = fields[key];
    if (wanted && value !== undefined) said[key] = value;
  };
  remember('created_at', fields['created_at'] !== createdAtIn(fields));
  remember('worktree', fields['worktree'] === false || fields['worktree'] === '');
  remember('piece', fields['piece'] === '');
  remember('workflow', fields['workflow'] === '');
  remember('priority', priorityIn(fields) !== undefined);
  const plain = titleWithout(fields['content'], name);
  remember('summary', fields['summary'] === '' || fields['summary'] === plain);

  const kept: Record<string, Json> = {};
  for (const [key, value] of Object.entries(fields)) {
    if (!coreKeys.includes(key) || (key === 'priority' && said['priority'] === undefined)) kept[key] = value;
  }
  const own: Own = { name, nth, ...(words && { words }), kept, said };
  if (!isRight(fields)) return own; // docket spells the state anew
  const state = stateFields(fields);
  const meant = stateIn(fields, createdAtIn(fields));
  // The core has no word of its own for these two.
  const special = meant.status === 'exceeded' || meant.status === 'pr_failed';
  return !special && same(state, spell(meant, words ?? 'spec')) ? own : { ...own, state };
}

function stateFields(fields: Fields): Record<string, Json> {
  const state: Record<string, Json> = {};
  for (const key of stateKeys) {
    const value = fields[key];
    if (value !== undefined) state[key] = value;
  }
  return state;
}

const maxLength = 80;

/** What people see of a task: its `summary`, else the first line of its text, else its name. */
export function titleOf(summary: Json | undefined, content: Json | undefined, name: string): string {
  return typeof summary === 'string' && summary !== '' ? summary : titleWithout(content, name);
}

/** The title that a record without a summary gives. */
export function titleWithout(content: Json | undefined, name: string): string {
  return (typeof content === 'string' && firstLine(content)) || name;
}

function firstLine(text: string): string {
  for (const line of text.split('\n', 50)) {
    const words = line.trim().replace(/^#{1,6}[ \t]+/, '');
    if (words !== '') return words.length > maxLength ? `${cut(words)}…` : words;
  }
  return '';
}

/** Cuts between characters, never inside one. */
function cut(words: string): string {
  return Array.from(words.slice(0, 2 * maxLength))
    .slice(0, maxLength - 1)
    .join('');
}

/** What tells the words of a record apart. `start_movement` does not: versions of both kinds write it. */
const newerKeys = ['workflow', 'start_step', 'exceeded_max_steps', 'run_slug'];
const specKeys = ['piece', 'exceeded_max_movements'];

/** The words that a record uses; undefined: it has none of those that differ. */
export function wordsIn(fields: Fields): Words | undefined {
  const failure = Object.keys(fields['failure'] ?? {});
  const has = (key: string): boolean => Object.hasOwn(fields, key);
  if (has('workflow')) return 'newer';
  if (specKeys.some(has) || failure.includes('movement')) return 'spec';
  return newerKeys.some(has) || failure.includes('step') ? 'newer' : undefined;
}

const looked = new WeakMap<Sheet, Words>();
/** The newest records say what tool writes the file today. */
const farEnough = 100;

/** The words that a file uses: those of its last record that has any. A file without any gets the spec's. */
export function wordsOf(sheet: Sheet | undefined): Words {
  if (!sheet) return 'spec';
  let words = looked.get(sheet);
  if (!words) looked.set(sheet, (words = wordsSaid(sheet) ?? 'spec'));
  return words;
}

/** Undefined: no record has any of the words that differ. */
export function wordsSaid({ entries }: Sheet): Words | undefined {
  for (let at = entries.length - 1; at >= Math.max(0, entries.length - farEnough); at--) {
    const text = entries[at]?.text ?? '';
    if (keyIn(newerKeys).test(text)) return 'newer';
    if (keyIn(specKeys).test(text)) return 'spec';
  }
  return undefined;
}

/** A key at the start of a line, or behind a dash, a brace or a comma. What a text says in such a place is a word, too. */
function keyIn(keys: readonly string[]): RegExp {
  return new RegExp(String.raw`(?:^[ ]*(?:-[ ]+)?|[{,][ \t]*)["']?(?:${keys.join('|')})["']?[ \t]*:`, 'm');
}
