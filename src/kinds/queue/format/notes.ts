import type { Json } from '../../../task/json.ts';
import type { Task } from '../../../task/schema.ts';
import { notedOf, type Own, ownOf, type Words } from './record.ts';
import { hasExceeded } from './state.ts';

/** Keys that say what docket noted. A branch that a person wrote is a wish; the rest is always a fact of some run. */
const wish = 'branch';
export const noteKeys: readonly string[] = [
  wish,
  'worktree_path',
  'pr_url',
  'run_slug',
  'exceeded_max_steps',
  'exceeded_current_iteration',
];

type Notes = Readonly<Record<string, Json | undefined>>;

/** What docket noted about a task, under the record's keys. The spec has no word for some of it. */
export function notesOf(task: Task, words: Words): Notes {
  const { branch, workspace, prUrl, runSlug } = notedOf(task);
  const facts: Notes = { branch, worktree_path: workspace, pr_url: prUrl };
  return words === 'spec' ? facts : { ...facts, run_slug: runSlug, ...exceededOf(task) };
}

/** The limit is the one under which it may go on, as the original counts: as many steps again. */
function exceededOf(task: Task): Notes {
  const { exceeded } = notedOf(task);
  // A record that starts again at a place of its own must not speak of a limit.
  if (!exceeded || !hasExceeded(task) || Object.hasOwn(ownOf(task).kept, 'restart_point')) return {};
  return {
    exceeded_max_steps: Math.max(1, exceeded.max * 2),
    exceeded_current_iteration: exceeded.at,
  };
}

/**
 * What the record says under such a key. What docket noted goes over what an older run left there; what a person
 * wrote over docket's own note (`said` is the note that they saw) stays for as long as the note is that one.
 */
export function shown(key: string, noted: Json | undefined, { kept, said }: Own): Json | undefined {
  const own = Object.hasOwn(kept, key) ? kept[key] : undefined;
  if (noted === undefined || (key === wish && own !== undefined)) return own;
  return Object.hasOwn(said, key) && said[key] === noted ? own : noted;
}
