import { DocketError } from '../errors.ts';
import { assertBranchName, branchName, commitOf, reserveBranch, type Branches } from './branch.ts';
import type { Plan } from './prepare-marker.ts';

export interface Wish {
  id: string;
  kind: 'clone' | 'worktree';
  /** The branch to work on; one that is there already is gone on with. */
  branch?: string;
  base?: string;
  /** What the branch is called otherwise. */
  prefix: string;
  slug: string;
  issue?: number;
  /** What an earlier start decided. */
  before?: { branch: string; base?: string; baseCommit?: string };
}

/**
 * Decides what branch a task works on and takes it. `note` writes the plan down before: a docket that dies in between
 * finds it again. Returns also what the branch stands at.
 */
export async function planned(
  { root, place, branches }: { root: string; place: string; branches: Branches },
  wish: Wish,
  { now, note }: { now: number; note: (plan: Plan) => Promise<void> },
): Promise<{ plan: Plan; commit: string }> {
  const { before } = wish;
  if (before && branches.own !== undefined) {
    const commit = branches.commits.get(before.branch) ?? branches.own;
    await take(root, wish, before.branch, commit, !branches.commits.has(before.branch));
    const base = before.base !== undefined && branches.commits.has(before.base) ? before.base : undefined;
    const baseCommit = before.baseCommit ?? commit;
    const plan = { kind: wish.kind, path: place, branch: before.branch, baseCommit };
    return { plan: { ...plan, ...(base !== undefined && { base }) }, commit };
  }
  const { base, commit: from } = await baseOf(root, wish, branches);
  const rest = { kind: wish.kind, path: place, ...(base !== undefined && { base }) };
  for (const branch of await namesFor(root, wish, branches, now)) {
    const there = branches.commits.get(branch);
    const plan: Plan = { ...rest, branch, baseCommit: there ?? from };
    await note(plan);
    const taken = { branch, commit: plan.baseCommit, isNew: there === undefined };
    if (await reserveBranch(root, wish.id, taken)) return { plan, commit: taken.commit };
  }
  throw taken(wish.branch ?? '');
}

async function take(
  root: string,
  { id }: Wish,
  branch: string,
  commit: string,
  isNew: boolean,
): Promise<void> {
  if (!isNew || (await reserveBranch(root, id, { branch, commit, isNew }))) return;
  throw taken(branch);
}

/** One that a person named, or one that is free, with the end of the id where another task was quicker. */
async function namesFor(
  root: string,
  wish: Wish,
  { commits, places }: Branches,
  now: number,
): Promise<string[]> {
  const { branch, id } = wish;
  if (branch === undefined) {
    const name = branchName({ ...wish, now });
    const tail =
      id
        .slice(-7)
        .toLowerCase()
        .replaceAll(/[^a-z0-9]/g, '') || 'x';
    return [name, `${name}-${tail}`, `${name}-${tail}-${now.toString(36)}`].filter(
      (one) => !commits.has(one),
    );
  }
  await assertBranchName(root, branch);
  const at = places.get(branch);
  if (at === undefined) return [branch];
  const message = `the branch "${branch}" is checked out in ${at}, where others may be at work on it`;
  throw new DocketError('REFUSED', message, 'switch that work tree to another branch, or name another', {
    branch,
    path: at,
  });
}

async function baseOf(
  root: string,
  { base }: Wish,
  { commits, current }: Branches,
): Promise<{ base?: string; commit: string }> {
  const name = base ?? current;
  const known = name === undefined ? undefined : commits.get(name);
  if (name !== undefined && known !== undefined) return { base: name, commit: known };
  const commit = await commitOf(root, base ?? 'HEAD');
  if (commit !== undefined) return { commit }; // a tag, a remote's branch, or HEAD alone: nothing that could be merged into
  if (base !== undefined)
    throw new DocketError(
      'NOT_FOUND',
      `there is no branch "${base}" to begin from`,
      'see "git branch --all", and mend base_branch of the task or baseBranch in the settings',
      { base },
    );
  throw new DocketError(
    'REFUSED',
    `the repository in ${root} has no commit yet, so there is nothing to make a workspace from`,
    'commit something first: git add . && git commit -m start',
    { path: root },
  );
}

function taken(branch: string): DocketError {
  const message = `the branch "${branch}" was made by somebody else meanwhile`;
  return new DocketError('REFUSED', message, 'name another branch, or run the task again', { branch });
}
