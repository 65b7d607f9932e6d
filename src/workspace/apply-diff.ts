import path from 'node:path';
import { ownFingerprint } from '../io/files.ts';
import { isFileOrLink } from '../io/links.ts';
import { asBytes } from './bytes.ts';
import { fileChanges, type FileChange } from './changes.ts';
import { lookAt, type WorkTree } from './snapshot.ts';

/** What we try, in this order: as it stands, with the hunks counted anew (models miscount), and as a merge. */
const ways = [[], ['--recount'], ['--3way']];

/**
 * Applies a diff to a copy of the tree first: git itself says what it would change, nothing half done is ever left, and
 * a conflict leaves no trace. Only plain files inside the root are written, and nothing of the user's index changes.
 */
export async function applyDiff(
  tree: WorkTree,
  diff: string,
): Promise<'applied' | 'already' | { problem: string }> {
  const { store, root, snapshot } = await lookAt(tree);
  const all = { folder: root, prefix: '' };
  const trial = { folder: root, prefix: 'trial' };
  const attempt = async (options: readonly string[]) => {
    await store.run(trial, ['read-tree', snapshot.tree]);
    const args = ['apply', '--cached', '--whitespace=nowarn', stripOf(diff), ...options, '-'];
    return store.tryRun(trial, args, asBytes(diff));
  };
  if ((await attempt(['--reverse', '--check'])).code === 0) return 'already';
  const said: string[] = [];
  for (const way of ways) {
    const { code, stderr } = await attempt(way);
    if (code !== 0) {
      said.push(stderr);
      continue;
    }
    const target = await store.treeOf(trial);
    const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', snapshot.tree, target];
    const problem = fileChanges(await store.run(all, args), all, false).map((file) => problemOf(root, file));
    const first = problem.find((text) => text !== undefined);
    if (first !== undefined) return { problem: first };
    if (target === snapshot.tree) return 'already';
    await store.run(all, ['read-tree', '--reset', '-u', target]);
    return 'applied';
  }
  return { problem: wordsOf(said[0] ?? '') };
}

/** Diffs of git begin names with `a/` and `b/`; those of models not always. */
function stripOf(diff: string): string {
  const names = [...diff.matchAll(/^--- (.+)\n\+\+\+ (.+)$/gm)]
    .flatMap(([, from = '', to = '']) => [from, to])
    .filter((name) => !name.startsWith('/dev/null'));
  return names.length > 0 && names.every((name) => !/^"?[ab]\//.test(name)) ? '-p0' : '-p1';
}

function problemOf(root: string, { path: name, before, now }: FileChange): string | undefined {
  const modes = [before.mode, now.mode];
  if (modes.includes('120000')) return `${name} is a link, and a diff must not make or change one`;
  if (modes.includes('160000')) return `${name} is a submodule, and a diff must not make or change one`;
  const folders = name.split('/').map((_, at, all) => path.join(root, ...all.slice(0, at)));
  const inTheWay = folders.find((folder) => isFileOrLink(folder));
  if (inTheWay !== undefined) return `${name} would lie behind ${inTheWay}, which is no folder`;
  if (before.mode === '000000' && ownFingerprint(path.join(root, name)) !== undefined)
    return `${name} is there already, and git ignores it`;
  return undefined;
}

const wordsOf = (stderr: string): string =>
  stderr
    .split('\n')
    .filter((line) => /^(error|fatal): /.test(line))
    .slice(0, 3)
    .map((line) => line.replace(/^\w+: /, ''))
    .join('; ') || 'git does not take it for a diff';
