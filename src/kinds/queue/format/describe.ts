import type { Sheet } from '../../../layout/layout.ts';
import { same } from '../../../schema/json.ts';
import { epoch, timeOf } from '../../../schema/time.ts';
import type { Fields, Json } from '../../../task/json.ts';
import type { Task } from '../../../task/schema.ts';
import { rankOf } from './fields.ts';
import { noteKeys, notesOf, shown } from './notes.ts';
import { means, titleOf, titleWithout, wordsOf, worktreeFor } from './own.ts';
import { type Own, ownOf, type Words } from './record.ts';
import { byFile, spell, stateOf, stillSays } from './state.ts';

/**
 * A task as a record. Facts come from the core; the record's own spelling of them comes back as long as it says the
 * same, so that reading a file that somebody else wrote changes none of its bytes.
 */
export function describe(task: Task, among?: Sheet): Fields | undefined {
  if (task.archivedAt !== undefined || task.removedAt !== undefined) return undefined;
  const own = ownOf(task);
  const { said, kept } = own;
  const words = own.words ?? wordsOf(among);
  const fields: Record<string, Json> = { name: own.name, ...stateFields(task, own, words) };
  const put = (key: string, value: Json | undefined): void => {
    if (value !== undefined) fields[key] = value;
  };

  const created = said['created_at'];
  put('created_at', created && (timeOf(created) ?? epoch) === task.createdAt ? created : task.createdAt);

  const { workflow } = task.spec;
  put(words === 'newer' ? 'workflow' : 'piece', workflow ?? said['workflow'] ?? said['piece']);

  const worktree = said['worktree'];
  const spoken = worktree !== undefined && means(worktree, task.spec.workspace);
  put('worktree', spoken ? worktree : worktreeFor(task.spec.workspace));

  const content = contentOf(task, kept);
  put('content', content);

  const { summary } = said;
  const bare = titleWithout(content, own.name) === task.title;
  const still = summary !== undefined && titleOf(summary, content, own.name) === task.title;
  put('summary', still ? summary : bare ? undefined : task.title);

  // No version knows these two, and the newer ones refuse what they do not know.
  const free = task.createdBy !== byFile && words === 'spec';
  if (said['priority'] !== undefined || (free && task.priority !== 0)) put('priority', task.priority);
  if (task.createdBy === byFile || free) put('needs', needsOf(task, own));

  const notes = notesOf(task, words);
  for (const key of noteKeys) put(key, shown(key, notes[key], own));
  for (const [key, value] of Object.entries(kept)) {
    const word =
      key === 'start_movement' && task.createdBy !== byFile && words === 'newer' ? 'start_step' : key;
    if (!Object.hasOwn(fields, word) && word !== 'needs' && !noteKeys.includes(word)) put(word, value);
  }
  return sorted(fields);
}

function stateFields(task: Task, own: Own, words: Words): Fields {
  if (own.state && stillSays(own.state, task, words)) return own.state;
  return spell(stateOf(task, words), words);
}

/** The names that somebody wrote, as long as they are what the task needs. */
function needsOf(task: Task, { kept, said }: Own): Json | undefined {
  const { needs } = kept;
  return said['needs'] === undefined || same(said['needs'], task.needs) ? needs : task.needs;
}

/** The text of a task is in the record only if it is nowhere else; the format wants exactly one place. */
function contentOf(task: Task, kept: Fields): string | undefined {
  if (Object.hasOwn(kept, 'task_dir') || Object.hasOwn(kept, 'content_file')) return undefined;
  const { body } = task.spec;
  if (typeof body === 'string') return body === '' ? task.title : body;
  if (task.createdBy !== byFile) return task.title;
  // A person's text: to leave the key out, or to shorten it, would take their words out of their file.
  throw new TypeError(`task ${task.id}: its text is in the blob store; describe needs the text itself`);
}

function sorted(fields: Fields): Fields {
  const entries = Object.entries(fields).map((entry) => ({ entry, rank: rankOf(entry[0]) }));
  entries.sort((a, b) => a.rank - b.rank);
  return Object.fromEntries(entries.map(({ entry }) => entry));
}
