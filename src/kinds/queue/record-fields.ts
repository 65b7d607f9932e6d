import { DocketError } from '../../errors.ts';
import type { Fields } from '../../task/json.ts';
import type { AddInput } from '../add-input.ts';
import { branchProblem } from './format/branch-name.ts';

/** What `docket add` was told about a task beside its text, in the words of its record. Checked: nothing makes no sense. */
export function recordFields(input: AddInput, slug: string, issue: number | undefined): Fields {
  const { branch, base, startStep, autoPr, draftPr } = input;
  assertBranch('--branch', branch);
  assertBranch('--base', base);
  const pullRequest = autoPr === true || draftPr === true;
  if (pullRequest && input.worktree === undefined) {
    throw invalid('a pull request needs a branch of its own, and work in place has none', 'add --worktree');
  }
  return {
    slug,
    ...(branch !== undefined && { branch }),
    ...(base !== undefined && { base_branch: base }),
    ...(pullRequest && { auto_pr: true }),
    ...(draftPr === true && { draft_pr: true }),
    ...(issue !== undefined && { issue }),
    ...(startStep !== undefined && { start_movement: startStep }),
    ...(input.needs?.length && { needs: [...input.needs] }),
  };
}

export function assertPriority(priority: number): void {
  if (Number.isInteger(priority) && Math.abs(priority) <= 100) return;
  throw invalid(
    `--priority ${priority} is not a whole number from -100 to 100`,
    'leave --priority out for ordinary work (0), or give a higher number for urgent work: --priority 10',
  );
}

function assertBranch(option: string, name: string | undefined): void {
  const problem = name === undefined ? undefined : branchProblem(name);
  if (problem === undefined) return;
  throw invalid(
    `${option} ${JSON.stringify(name)} is no branch for git: it ${problem}`,
    `write one such as ${option} fix/login`,
  );
}

function invalid(message: string, fix: string): DocketError {
  return new DocketError('INVALID', message, fix);
}
