import { command, fix } from '../../../errors/command.ts';
import { nearest } from '../../../errors/nearest.ts';
import type { Fields, Json } from '../../../task/json.ts';
import { foreignNeeds, knownKeys, problemWith, type StatusWord } from './fields.ts';

export interface Problem {
  /** The key to look at. */
  key: string;
  message: string;
  fix: string;
  /** The record can be read all the same: docket puts it right, or leaves the key alone. */
  harmless?: true;
}

/** All that is wrong with a record, without what is harmless. The sentences are those that users of the format know. */
export function problemsIn(fields: Fields): Problem[] {
  return [types, sources, stateProblems, pairs, foreignKeys]
    .flatMap((check) => check(fields))
    .filter((problem) => !problem.harmless);
}

/** What is worth knowing about a record that can be read. */
export function remarksOn(fields: Fields): Problem[] {
  return [...stateProblems(fields), ...unusedKeys(fields)].filter((problem) => problem.harmless);
}

function types(fields: Fields): Problem[] {
  const problems: Problem[] = [];
  if (!Object.hasOwn(fields, 'name'))
    problems.push({ key: 'name', message: 'name is required.', fix: 'Add "name:" with a value.' });
  for (const [key, value] of Object.entries(fields)) {
    const problem = problemWith(key, value);
    if (problem === undefined) continue;
    const glue = problem.startsWith('must') ? ' ' : ': ';
    problems.push({ key, message: `${key}${glue}${problem}`, fix: `Correct the value of "${key}".` });
  }
  return problems;
}

function foreignKeys(fields: Fields): Problem[] {
  return foreignNeeds
    .filter((key) => Object.hasOwn(fields, key))
    .map((key) => ({
      key,
      message: `${key} is not a key of this format.`,
      fix: 'Write "needs:" with the names of the tasks that must be done first.',
    }));
}

/** Keys that are kept as they are, and that do nothing. */
function unusedKeys(fields: Fields): Problem[] {
  return Object.entries(fields).flatMap(([key, value]): Problem[] => {
    if (knownKeys.includes(key) || foreignNeeds.includes(key)) return [];
    if (key === 'priority') return isPriority(value) ? [] : [badPriority(value)];
    const near = nearest(key, [...knownKeys, 'priority']);
    const message = `${key} is not a key of this format; docket keeps it and does not use it.`;
    const fix = near === undefined ? `Take "${key}" out if it is a slip.` : `Did you mean "${near}"?`;
    return [{ key, message, fix, harmless: true }];
  });
}

function isPriority(value: Json): boolean {
  return Number.isInteger(value) && Math.abs(value as number) <= 100;
}

function badPriority(value: Json): Problem {
  const message = `priority: expected integer from -100 to 100, received ${JSON.stringify(value)}; docket does not use it.`;
  const fix = 'Write a whole number: 0 is ordinary work, 10 is urgent.';
  return { key: 'priority', message, fix, harmless: true };
}

function sources(fields: Fields): Problem[] {
  const given = ['content', 'content_file', 'task_dir'].filter((key) => Object.hasOwn(fields, key));
  if (given.length === 1) return [];
  return given.length === 0
    ? [
        {
          key: 'name',
          message: 'Either content, content_file, or task_dir is required.',
          fix: 'Add "content:" with the text of the task, or "task_dir:" with its folder.',
        },
      ]
    : [
        {
          key: given[1] ?? 'name',
          message: 'Exactly one of content, content_file, or task_dir must be set.',
          fix: `Keep one of ${given.join(' and ')}.`,
        },
      ];
}

type Rule = 'must' | 'must not' | 'may';
interface Invariant {
  title: string;
  started_at: Rule;
  completed_at: Rule;
  owner_pid: Rule;
  failure: Rule;
}

const over = { started_at: 'must', completed_at: 'must', owner_pid: 'must not' } as const;
const invariants: Readonly<Record<StatusWord, Invariant>> = {
  pending: {
    title: 'Pending',
    started_at: 'must not',
    completed_at: 'must not',
    owner_pid: 'must not',
    failure: 'must not',
  },
  running: {
    title: 'Running',
    started_at: 'must',
    completed_at: 'must not',
    owner_pid: 'may',
    failure: 'must not',
  },
  completed: { title: 'Completed', ...over, failure: 'must not' },
  failed: { title: 'Failed', ...over, failure: 'must' },
  exceeded: { title: 'Exceeded', ...over, failure: 'must not' },
  pr_failed: { title: 'PR-failed', ...over, failure: 'may' },
};

const bound = ['started_at', 'completed_at', 'owner_pid', 'failure'] as const;

const toRun = fix`To run the task, set its status to pending, then: ${command`run`}.`;

/** What a status requires and forbids. The status counts: docket puts the rest right, unless somebody claims to run it. */
export function stateProblems(fields: Fields): Problem[] {
  const invariant = invariants[fields['status'] as StatusWord] as Invariant | undefined;
  if (!invariant) return [];
  return bound.flatMap((key): Problem[] => {
    const set = isSet(fields[key]);
    const isMissing = invariant[key] === 'must' && !set;
    if (!isMissing && !(invariant[key] === 'must not' && set)) return [];
    const message = `${invariant.title} task ${isMissing ? 'requires' : 'must not have'} ${key}.`;
    // Somebody wrote "running", and nobody runs it: a run is not begun in the file.
    if (fields['status'] === 'running') return [{ key, message, fix: toRun.text }];
    const fix = `docket ${isMissing ? 'sets it' : 'takes it out'} with its next change of this record.`;
    return [{ key, message, fix, harmless: true }];
  });
}

/**
 * A record whose status a person changed, and nothing else, as it should be: without what the status forbids. What is
 * missing comes from `known`, which is what docket says of the same task, as long as the status is the same.
 */
export function putRight(fields: Fields, known?: Fields): Fields {
  const status = fields['status'] ?? known?.['status'] ?? 'pending';
  const right: Record<string, Json> = { ...fields, status };
  const invariant = invariants[status as StatusWord] as Invariant | undefined;
  for (const key of bound) {
    const set = isSet(fields[key]);
    const was = known?.['status'] === status ? known[key] : undefined;
    if (invariant?.[key] === 'must not' && set) delete right[key];
    else if (invariant?.[key] === 'must' && !set && was !== undefined) right[key] = was;
  }
  if (invariant?.failure === 'must' && !isSet(right['failure']))
    right['failure'] = { error: 'marked as failed in tasks.yaml' };
  return right;
}

/** Has the record everything that its status and other tools want, and nothing that they refuse? */
export function isRight(fields: Fields): boolean {
  const keys = ['status', 'started_at', 'completed_at'];
  return keys.every((key) => Object.hasOwn(fields, key)) && stateProblems(fields).length === 0;
}

/** Keys that need or exclude each other. */
function pairs(fields: Fields): Problem[] {
  const has = (key: string): boolean => isSet(fields[key]);
  const max = has('exceeded_max_steps') ? 'exceeded_max_steps' : 'exceeded_max_movements';
  const review = fields['source'] === 'pr_review';
  const broken: [boolean, string, string][] = [
    [has('piece') && has('workflow'), 'workflow', 'piece and workflow cannot be specified together'],
    [
      has('source_run_slug') && !has('resume_mode'),
      'source_run_slug',
      'resume_mode is required when source_run_slug is set.',
    ],
    [
      has(max) !== has('exceeded_current_iteration'),
      has(max) ? max : 'exceeded_current_iteration',
      `${max === 'exceeded_max_movements' && has(max) ? max : 'exceeded_max_steps'} and exceeded_current_iteration must both be set or both be absent.`,
    ],
    [review && !has('pr_number'), 'source', 'pr_number is required when source is "pr_review"'],
    [review && !has('branch'), 'source', 'branch is required when source is "pr_review"'],
    ...['branch', 'base_branch'].map((key): [boolean, string, string] => {
      const branch = fields[key];
      const problem = has(key) && typeof branch === 'string' ? branchProblem(branch) : undefined;
      return [review && problem !== undefined, key, `${key} is no branch for git: it ${problem}`];
    }),
    [has('managed_pr') && fields['auto_pr'] !== true, 'managed_pr', 'managed_pr requires auto_pr to be true'],
    [has('managed_pr') && !fields['worktree'], 'managed_pr', 'managed_pr requires worktree to be enabled'],
    ...excludingRestart.map((key): [boolean, string, string] => [
      has(key) && has('restart_point'),
      key,
      `${key} and restart_point cannot be specified together`,
    ]),
  ];
  return broken.flatMap(([is, key, message]): Problem[] => {
    const fix = key.endsWith('branch') ? 'Write a name that git takes.' : 'Add or take out one of them.';
    return is ? [{ key, message, fix }] : [];
  });
}

const excludingRestart = [
  'resume_point',
  'start_step',
  'start_movement',
  'exceeded_max_steps',
  'exceeded_max_movements',
  'exceeded_current_iteration',
];

function isSet(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== false;
}

/** What git itself refuses in the name of a branch, as the rest of a sentence; undefined: it takes it. */
export function branchProblem(name: string): string | undefined {
  return rules.find(([wrong]) => wrong.test(name))?.[1];
}

// oxlint-disable-next-line no-control-regex -- finding them is the purpose
const forbidden = /[\u0000-\u0020\u007F~^:?*[\\]/;

const rules: readonly (readonly [RegExp, string])[] = [
  [/^$/, 'is empty'],
  [/^-/, 'begins with "-"'],
  [/^(?:@|HEAD)$/, 'is a word of git itself'],
  [forbidden, String.raw`holds a space, a control character or one of ~ ^ : ? * [ \ `.trim()],
  [/\.\.|@\{/, 'holds ".." or "@{"'],
  [/^\/|\/$|\/\//, 'begins or ends with "/", or has two of them'],
  [/(?:^|\/)\.|\.$|\.lock(?:\/|$)/, 'has a part that begins with ".", or ends with "." or ".lock"'],
];
