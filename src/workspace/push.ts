import { DocketError } from '../errors.ts';
import { tryGit } from '../io/git.ts';
import { branchRef, noHooks } from './branch.ts';

const longestMs = 10 * 60_000;
/** How the user talks to remotes; other variables of git could point at another repository. */
const wanted =
  /^GIT_(SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|PROXY_COMMAND|SSL_\w+|CONFIG_GLOBAL|CONFIG_SYSTEM)$/;

/** Pushes a branch under its own name, and never over somebody else's commits. */
export async function pushBranch(
  root: string,
  {
    remote,
    branch,
    env,
    hooks = false,
  }: { remote: string; branch: string; env: Readonly<Record<string, string | undefined>>; hooks?: boolean },
): Promise<void> {
  const names = (await tryGit(root, ['remote'])).stdout.split('\n').filter((name) => name !== '');
  if (!names.includes(remote)) {
    const fix = names.length > 0 ? `known: ${names.join(', ')}` : 'add one: git remote add origin <url>';
    throw new DocketError('NOT_FOUND', `there is no remote "${remote}"`, fix, { remote });
  }
  const passed = Object.entries(env).filter(
    (pair): pair is [string, string] => wanted.test(pair[0]) && pair[1] !== undefined,
  );
  const args = ['push', '--quiet', '--porcelain', remote, `${branchRef(branch)}:${branchRef(branch)}`];
  const { code, stdout, stderr } = await tryGit(root, args, {
    env: Object.fromEntries(passed),
    timeoutMs: longestMs,
    ...(!hooks && { config: noHooks }),
  });
  if (code === 0) return;
  const isBehind = /non-fast-forward|fetch first|stale info/.test(stdout + stderr);
  const said = stderr.trim().split('\n').at(-1) ?? '';
  throw new DocketError(
    'REFUSED',
    isBehind
      ? `${remote} has commits on "${branch}" that are not here`
      : `git push to ${remote} failed: ${said}`,
    isBehind ? `fetch and merge them: git fetch ${remote} ${branch}` : 'run the same by hand to see more',
    { remote, branch },
  );
}
