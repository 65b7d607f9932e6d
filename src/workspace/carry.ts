import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { removeFile } from '../io/files.ts';
import { git, tryGit } from '../io/git.ts';
import { commitOf, noHooks } from './branch.ts';
import { gitDirOf } from './prepare-place.ts';

/**
 * Brings a commit of the root and all that it stands on into a clone. As a file, and never by a fetch that the clone
 * does: its settings could be an agent's, and say which program fetches.
 */
export async function carry(root: string, place: string, ref: string): Promise<string> {
  const commit = (await git(root, ['rev-parse', '--verify', `${ref}^{commit}`])).trim();
  if ((await commitOf(place, commit)) === commit) return commit;
  const file = path.join(await gitDirOf(place), `docket-bundle-${randomUUID()}`);
  const options = { config: noHooks, timeoutMs: 0 };
  try {
    const known = await sharedTips(root, place);
    const not = known.length > 0 ? ['--not', ...known] : [];
    await git(root, ['bundle', 'create', '--quiet', file, ref, ...not], options);
    await git(place, ['bundle', 'unbundle', file], options);
    return commit;
  } finally {
    removeFile(file);
  }
}

/** What both have need not be carried. */
async function sharedTips(root: string, place: string): Promise<string[]> {
  const listed = await git(place, ['for-each-ref', '--format=%(objectname)', 'refs/heads']);
  const tips = [...new Set(listed.split('\n').filter((tip) => tip !== ''))];
  const input = tips.map((tip) => `${tip}\n`).join('');
  const { stdout } = await tryGit(root, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], { input });
  return tips.filter((tip) => stdout.includes(`${tip} commit\n`));
}
