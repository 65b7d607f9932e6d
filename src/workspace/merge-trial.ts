import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { listDir, listFolders, makeDir, readBytes, replaceFile } from '../io/files.ts';
import { removeEmptyFolder, removeTree } from '../io/folders.ts';
import { git } from '../io/git.ts';
import { exists, realFolder } from '../io/links.ts';
import { makeOwnFolder } from '../io/own-folder.ts';
import { removeTempFolder } from '../io/process/temp-folder.ts';
import { noHooks } from './branch.ts';
import { fillModules } from './clone-modules.ts';
import { configText, exclude, withoutLfs } from './clone.ts';
import { includeIgnored } from './include.ts';
import { ownSettings, type Source, sourceOf } from './place.ts';

/** A commit as a work tree, for as long as `use` takes. Only the holder of the lock on merges makes one. */
export async function withTrial<T>(
  root: string,
  dir: string,
  commit: string,
  use: (cwd: string) => Promise<T>,
): Promise<T> {
  const folder = makeOwnFolder(dir, 'trials');
  // A docket process that was killed here left its trial.
  for (const name of listDir(folder)) await removeTempFolder(path.join(folder, name));
  const place = path.join(folder, randomUUID());
  try {
    const source = await sourceOf(root);
    await makeTrial(source, place, commit);
    await fillModules(source.common, place);
    const cwd = path.join(place, source.prefix);
    makeDir(cwd);
    await includeIgnored(root, cwd);
    return await use(cwd);
  } finally {
    await removeTempFolder(place);
  }
}

/**
 * A repository of docket's own that reads the objects of people's repository and never writes to it: a linked work tree
 * would be registered in people's .git, and a kill while git registers it leaves them unable to fetch.
 */
async function makeTrial({ root, common }: Source, place: string, commit: string): Promise<void> {
  const lfs = withoutLfs(root);
  const gitDir = path.join(place, '.git');
  exclude(gitDir, common);
  replaceFile(path.join(gitDir, 'config'), configText({ ...(await ownSettings(root)), ...lfs }));
  const format = (await git(root, ['rev-parse', '--show-object-format'])).trim();
  const init = ['init', '--quiet', `--object-format=${format}`, place];
  await git(root, init, { config: noHooks, env: { GIT_DEFAULT_REF_FORMAT: 'files' } });
  replaceFile(
    path.join(gitDir, 'objects/info/alternates'),
    `${JSON.stringify(path.join(common, 'objects'))}\n`,
  );
  replaceFile(path.join(gitDir, 'packed-refs'), Buffer.from(await refsOf(root), 'latin1'));
  replaceFile(path.join(gitDir, 'HEAD'), `${commit}\n`);
  // With the filters and attributes of people's repository: what is tested is what they would check out.
  const env = { GIT_DIR: common, GIT_WORK_TREE: place, GIT_INDEX_FILE: path.join(gitDir, 'index') };
  const fill = ['read-tree', '--reset', '-u', commit];
  await git(place, fill, { config: { ...noHooks, ...lfs }, env, timeoutMs: 0 });
}

/** Tests may ask git about branches and tags. */
async function refsOf(root: string): Promise<string> {
  const wanted = ['refs/heads', 'refs/remotes', 'refs/tags'];
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', ...wanted];
  return `# pack-refs with: sorted \n${await git(root, args, { bytes: true })}`;
}

const trialName = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Where every docket has kept its trials, below the folder that it was in. */
const usual = path.join('.docket', 'queue', 'trials');

/**
 * Folders in people's own .git/worktrees that an older docket left: it tried merges in linked work trees, and a kill
 * while git made one leaves an entry that git neither reads nor prunes. Every fetch fails because of it. `common`: the
 * repository's own folder. `dir`: docket's folder of the queue.
 */
export function trialLeftovers(common: string, dir: string): string[] {
  const folder = path.join(common, 'worktrees');
  const ours = [dir, exists(dir) ? realFolder(dir) : dir].map((place) => path.join(place, 'trials'));
  return listFolders(folder).flatMap((name) => {
    const pointer =
      readBytes(path.join(folder, name, 'gitdir'))
        ?.toString('utf8')
        .trim() ?? '';
    const trial = path.dirname(pointer);
    const [parent, last] = [path.dirname(trial), path.basename(trial)];
    if (path.basename(pointer) !== '.git' || !trialName.test(last)) return [];
    // The folder of a project that was moved since has another path.
    const isLost = parent.endsWith(path.sep + usual) && !exists(trial);
    return ours.includes(parent) || isLost ? [path.join(folder, name)] : [];
  });
}

/** Only the holder of the lock on merges may: nobody else has a trial then. Git itself does not remove a locked one. */
export function removeTrialLeftovers(common: string, dir: string): void {
  const left = trialLeftovers(common, dir);
  for (const entry of left) removeTree(entry);
  if (left.length > 0) removeEmptyFolder(path.join(common, 'worktrees'));
}
