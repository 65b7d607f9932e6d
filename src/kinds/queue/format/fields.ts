import type { Json } from '../../../schema/value.ts';
import { taskDirPattern } from './slug.ts';

/** What is wrong with a value, as the rest of a sentence; undefined when nothing is. */
export type Check = (value: Json) => string | undefined;

const kindOf = (value: Json): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
const expected =
  (what: string, ok: (value: Json) => boolean): Check =>
  (value) =>
    ok(value) ? undefined : `expected ${what}, received ${kindOf(value)}${shownValue(value)}`;

const longestShown = 40;
/** The value itself where that helps to find it: a word, a number, true or false. */
function shownValue(value: Json): string {
  if (value === null || typeof value === 'object') return '';
  const text = JSON.stringify(value);
  return ` ${text.length > longestShown ? `${text.slice(0, longestShown)}…` : text}`;
}

const isText = (value: Json): value is string => typeof value === 'string';
const text = expected('string', isText);
const someText: Check = (value) => text(value) ?? (value === '' ? 'must not be empty' : undefined);
const someTextOrNull: Check = (value) => (value === null ? undefined : someText(value));
const yesNo = expected('boolean', (value) => typeof value === 'boolean');
const object = expected('object', (value) => kindOf(value) === 'object');
const count = (least: number): Check =>
  expected(`integer >= ${least}`, (value) => Number.isSafeInteger(value) && (value as number) >= least);
const oneOf = (...words: string[]): Check =>
  expected(`one of ${words.join(', ')}`, (value) => isText(value) && words.includes(value));

const statusWords = ['pending', 'running', 'completed', 'failed', 'exceeded', 'pr_failed'] as const;
export type StatusWord = (typeof statusWords)[number];

/**
 * Every key that some version of the format knows, in the order in which new records have them: the spec's own
 * first. Two words for one thing (piece and workflow, movement and step) are both known; what else a record holds is kept.
 */
export const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['name', someText],
  ['status', oneOf(...statusWords)],
  ['piece', text],
  ['workflow', text],
  ['task_dir', (value) => text(value) ?? taskDir(value)],
  ['content', someText],
  ['content_file', someText],
  ['created_at', someText],
  ['started_at', someTextOrNull],
  ['completed_at', someTextOrNull],
  ['slug', text],
  ['worktree', expected('boolean or string', (value) => typeof value === 'boolean' || isText(value))],
  ['branch', text],
  ['base_branch', text],
  ['auto_pr', yesNo],
  ['draft_pr', yesNo],
  ['managed_pr', yesNo],
  ['should_publish_branch_to_origin', yesNo],
  ['issue', count(1)],
  ['source', oneOf('pr_review', 'issue', 'manual')],
  ['pr_number', count(1)],
  ['context_pr_number', count(1)],
  ['start_movement', text],
  ['start_step', text],
  ['retry_note', text],
  ['worktree_path', text],
  ['pr_url', text],
  ['summary', text],
  ['run_slug', text],
  ['source_run_slug', text],
  ['resume_mode', oneOf('requeue', 'retry', 'instruct')],
  ['auto_requeue_count', count(0)],
  ['exceeded_max_movements', count(1)],
  ['exceeded_max_steps', count(1)],
  ['exceeded_current_iteration', count(0)],
  ['resume_point', object],
  ['restart_point', object],
  ['owner_pid', (value) => (value === null ? undefined : count(1)(value))],
  ['failure', (value) => (value === null ? undefined : (object(value) ?? failure(value)))],
  // No word of any version: a task that ran before what it needs would be the worst way not to know it.
  [
    'needs',
    expected('a list of names', (value) => isText(value) || (Array.isArray(value) && value.every(isText))),
  ],
]);

/** Keys of other formats that say what must be done first: not to know them would start a task too early. */
export const foreignNeeds: readonly string[] = ['depends_on', 'dependsOn', 'depends', 'dependencies'];

const order = [...checks.keys()];

/** Where a key stands among the known ones; unknown keys come last. */
export function rankOf(key: string): number {
  const found = order.indexOf(key);
  return found === -1 ? order.length : found;
}

function taskDir(value: Json): string | undefined {
  return taskDirPattern.test(value as string) ? undefined : 'must match .takt/tasks/<slug> format.';
}

const failureChecks: readonly (readonly [string, Check])[] = [
  ['error', someText],
  ['movement', text],
  ['step', text],
  ['last_message', text],
  ['retryable', yesNo],
];

function failure(value: Json): string | undefined {
  const parts = value as Record<string, Json>;
  for (const [key, check] of failureChecks) {
    if (!Object.hasOwn(parts, key)) {
      if (key === 'error') return 'requires error';
      continue;
    }
    const problem = check(parts[key] ?? null);
    if (problem !== undefined) return `${key}: ${problem}`;
  }
  return undefined;
}
