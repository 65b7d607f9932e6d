import type { Fields, Json } from '../layout.ts';
import { branchProblem } from './branch-name.ts';
import { checks, required, type StatusWord } from './fields.ts';

export interface Problem {
  /** The key to look at. */
  key: string;
  message: string;
  fix: string;
}

/** What is wrong with a record, first things first. The sentences are those that users of the format know. */
export function problemIn(fields: Fields): Problem | undefined {
  for (const check of [types, sources, times, pairs]) {
    const problem = check(fields);
    if (problem) return problem;
  }
  return undefined;
}

function types(fields: Fields): Problem | undefined {
  for (const key of required) {
    if (!Object.hasOwn(fields, key)) {
      const value = key.endsWith('ed_at') && key !== 'created_at' ? 'null' : 'a value';
      return { key, message: `${key} is required.`, fix: `Add "${key}:" with ${value}.` };
    }
  }
  for (const [key, value] of Object.entries(fields)) {
    const problem = checks.get(key)?.(value);
    if (problem !== undefined) {
      const glue = problem.startsWith('must') ? ' ' : ': ';
      return { key, message: `${key}${glue}${problem}`, fix: `Correct the value of "${key}".` };
    }
  }
  return undefined;
}

function sources(fields: Fields): Problem | undefined {
  const given = ['content', 'content_file', 'task_dir'].filter((key) => Object.hasOwn(fields, key));
  if (given.length === 1) return undefined;
  return given.length === 0
    ? {
        key: 'name',
        message: 'Either content, content_file, or task_dir is required.',
        fix: 'Add "content:" with the text of the task, or "task_dir:" with its folder.',
      }
    : {
        key: given[1] ?? 'name',
        message: 'Exactly one of content, content_file, or task_dir must be set.',
        fix: `Keep one of ${given.join(' and ')}.`,
      };
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

/** What a status requires and forbids. */
function times(fields: Fields): Problem | undefined {
  const invariant = invariants[fields['status'] as StatusWord];
  for (const key of ['started_at', 'completed_at', 'owner_pid', 'failure'] as const) {
    const set = isSet(fields[key]);
    if (invariant[key] === 'must' && !set) {
      return {
        key,
        message: `${invariant.title} task requires ${key}.`,
        fix: `Set "${key}" or change the status.`,
      };
    }
    if (invariant[key] === 'must not' && set) {
      const fix = `${key === 'failure' ? 'Take "failure" out' : `Set "${key}" to null`} or change the status.`;
      return { key, message: `${invariant.title} task must not have ${key}.`, fix };
    }
  }
  return undefined;
}

/** Keys that need or exclude each other. */
function pairs(fields: Fields): Problem | undefined {
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
      const problem = has(key) ? branchProblem(fields[key] as string) : undefined;
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
  const found = broken.find(([is]) => is);
  const fix = found?.[1].endsWith('branch') ? 'Write a name that git takes.' : 'Add or take out one of them.';
  return found && { key: found[1], message: found[2], fix };
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
