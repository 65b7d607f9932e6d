import * as v from 'valibot';
import type { Json } from '../../../task/json.ts';
import { taskDirPattern } from './names.ts';

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

const longestShown = 40;
/** The value itself where that helps to find it: a word, a number, true or false. */
function shownValue(value: unknown): string {
  if (value === null || typeof value === 'object') return '';
  const text = JSON.stringify(value);
  return ` ${text.length > longestShown ? `${text.slice(0, longestShown)}…` : text}`;
}

/** In the words of the tool whose format this is. */
const says =
  (what: string) =>
  ({ input }: { input: unknown }) =>
    `expected ${what}, received ${kindOf(input)}${shownValue(input)}`;

const text = v.string(says('string'));
const someText = v.pipe(text, v.nonEmpty('must not be empty'));
const yesNo = v.boolean(says('boolean'));
const object = v.custom<Record<string, unknown>>((value) => kindOf(value) === 'object', says('object'));
const oneOf = <const W extends string>(...words: readonly W[]) =>
  v.picklist(words, says(`one of ${words.join(', ')}`));
const count = (least: number) => {
  const message = says(`integer >= ${least}`);
  return v.pipe(v.number(message), v.safeInteger(message), v.minValue(least, message));
};

const failure = v.pipe(
  object,
  v.looseObject(
    {
      error: someText,
      movement: v.exactOptional(text),
      step: v.exactOptional(text),
      last_message: v.exactOptional(text),
      retryable: v.exactOptional(yesNo),
    },
    'requires error',
  ),
);

/**
 * Every key that some version of the format knows, in the order in which new records have them: the spec's own
 * first. Two words for one thing (piece and workflow, movement and step) are both known; what else a record holds is kept.
 */
const fields = {
  name: someText,
  status: oneOf('pending', 'running', 'completed', 'failed', 'exceeded', 'pr_failed'),
  piece: text,
  workflow: text,
  task_dir: v.pipe(text, v.regex(taskDirPattern, 'must match .takt/tasks/<slug> format.')),
  content: someText,
  content_file: someText,
  created_at: someText,
  started_at: v.nullable(someText),
  completed_at: v.nullable(someText),
  slug: text,
  worktree: v.union([v.boolean(), v.string()], says('boolean or string')),
  branch: text,
  base_branch: text,
  auto_pr: yesNo,
  draft_pr: yesNo,
  managed_pr: yesNo,
  should_publish_branch_to_origin: yesNo,
  issue: count(1),
  source: oneOf('pr_review', 'issue', 'manual'),
  pr_number: count(1),
  context_pr_number: count(1),
  start_movement: text,
  start_step: text,
  retry_note: text,
  worktree_path: text,
  pr_url: text,
  summary: text,
  run_slug: text,
  source_run_slug: text,
  resume_mode: oneOf('requeue', 'retry', 'instruct'),
  auto_requeue_count: count(0),
  exceeded_max_movements: count(1),
  exceeded_max_steps: count(1),
  exceeded_current_iteration: count(0),
  resume_point: object,
  restart_point: object,
  owner_pid: v.nullable(count(1)),
  failure: v.nullable(failure),
  // No word of any version: a task that ran before what it needs would be the worst way not to know it.
  needs: v.union([v.string(), v.array(v.string())], says('a list of names')),
};
export type StatusWord = v.InferOutput<typeof fields.status>;

export const knownKeys: readonly string[] = Object.keys(fields);

/** What is wrong with the value of a key, as the rest of a sentence; undefined when nothing is. */
export function problemWith(key: string, value: Json): string | undefined {
  if (!Object.hasOwn(fields, key)) return undefined;
  const [issue] = v.safeParse(fields[key as keyof typeof fields], value).issues ?? [];
  if (!issue || issue.message.startsWith('requires')) return issue?.message;
  return [...(issue.path ?? []).map((part) => String(part.key)), issue.message].join(': ');
}

/** Keys of other formats that say what must be done first: not to know them would start a task too early. */
export const foreignNeeds: readonly string[] = ['depends_on', 'dependsOn', 'depends', 'dependencies'];

/** Where a key stands among the known ones; unknown keys come last. */
export function rankOf(key: string): number {
  const found = knownKeys.indexOf(key);
  return found === -1 ? knownKeys.length : found;
}
