import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { DocketError } from '../errors.ts';
import { makeDir, readBytes, replaceFile } from '../io/files.ts';
import { removeEmptyFolder, renamePath } from '../io/folders.ts';
import { git } from '../io/git.ts';
import { exists } from '../io/links.ts';
import { asText, joinParts, parts } from './bytes.ts';
import { areaChanges, type AreaChanges, type Changed, changedSince, movedIn } from './changes.ts';
import { forgetGuarded } from './guarded.ts';
import { patchBetween } from './patch.ts';
import { type Head, repositoryAt } from './repositories.ts';
import { type Look, lookAt, type Snapshot, type WorkTree } from './snapshot.ts';

/**
 * Makes these paths what they were: content, link, right to execute, absence, and their place in the index. All others
 * stay. Returns a patch of what is no longer there: its bytes, because not every file is text.
 */
export async function undo(tree: WorkTree, snapshot: Snapshot, paths: Iterable<string>): Promise<Buffer> {
  const wanted = new Set(paths);
  const { home } = tree;
  const look = await lookAt(tree, snapshot);
  const moved = movedIn(snapshot, look.snapshot).filter(({ path }) => wanted.has(path));
  const putBack = ({ path: at, was, is }: (typeof moved)[number]) =>
    putBackHead(path.join(look.root, at), home, was, is);
  // A new repository may stand where a file was; where an old one was, there may be a link.
  for (const repository of moved.filter(({ was }) => !was)) await putBack(repository);
  const patches: string[] = [];
  for (const changes of await areaChanges(look, snapshot)) patches.push(await restore(look, changes, wanted));
  for (const repository of moved.filter(({ was }) => was)) await putBack(repository);
  // The index of a copy is made anew with each of its stages.
  for (const { path: at, staged } of tree.copyOf ? [] : snapshot.repositories) {
    const prefix = asText(at);
    const folder = path.resolve(look.root, prefix);
    const isWanted = (name: string): boolean => wanted.has(prefix + asText(name));
    if (await repositoryAt(folder, at === ''))
      await putBackStaged(folder, path.join(home, 'staged', staged), isWanted);
  }
  return Buffer.from(patches.join(''), 'latin1');
}

async function restore({ store }: Look, changes: AreaChanges, wanted: Set<string>): Promise<string> {
  const { area, now } = changes;
  const files = changes.files.filter((file) => wanted.has(file.path));
  if (files.length === 0) return '';
  const target = await store.treeWith(
    now,
    files.map(({ name, before }) => ({ path: name, ...before })),
  );
  const patch = await patchBetween(store, area, [target, now], ['--binary']);
  forgetGuarded(store, area);
  await store.run(area, ['read-tree', '--reset', '-u', target]);
  return patch;
}

/** Rules that hide files may be among what is undone, so it is looked at again until nothing is left. */
const mostRounds = 5;

/** Undoes what is outside, as `outside` says it, and tells what is left. `seen`: what is known to be changed already. */
export async function keepInside(
  tree: WorkTree,
  snapshot: Snapshot,
  outside: (changes: readonly Changed[]) => readonly string[],
  seen?: Changed[],
): Promise<{ kept: Changed[]; undone: string[]; patch: Buffer }> {
  const undone = new Set<string>();
  const patches: Buffer[] = [];
  let kept = seen ?? (await changedSince(tree, snapshot)).changes;
  for (let round = 0, paths = outside(kept); paths.length > 0; round += 1, paths = outside(kept)) {
    if (round === mostRounds)
      throw new DocketError(
        'IO',
        `what is out of scope comes back: ${paths.join(', ')}`,
        'end the program that still writes there',
        { paths },
      );
    patches.push(await undo(tree, snapshot, paths));
    for (const path of paths) undone.add(path);
    kept = (await changedSince(tree, snapshot)).changes;
  }
  return { kept, undone: [...undone].toSorted(), patch: Buffer.concat(patches) };
}

/** A submodule stands where it stood. A repository that was not there is taken out, and kept in our folder. */
async function putBackHead(folder: string, home: string, was?: Head, is?: Head): Promise<void> {
  const place = path.join(folder, '.git');
  if (was === undefined || was.pointer !== is?.pointer) {
    if (exists(place)) setAside(place, path.join(home, 'undone'));
    if (was === undefined) {
      removeEmptyFolder(folder);
      return;
    }
    if (was.pointer === '')
      throw new DocketError('IO', `the repository in ${folder} is gone`, 'clone it again', { path: folder });
    makeDir(folder);
    replaceFile(place, was.pointer);
  }
  const { ref, commit } = was;
  const run = (...args: string[]) => git(folder, ['-c', 'core.hooksPath=/dev/null', ...args]);
  if (ref !== '') await run('symbolic-ref', 'HEAD', ref);
  if (commit !== '') await run('update-ref', ...(ref === '' ? ['--no-deref'] : []), 'HEAD', commit);
}

/** It may hold commits that nobody else has. */
function setAside(place: string, aside: string): void {
  makeDir(aside);
  renamePath(place, path.join(aside, randomUUID()));
}

/** Puts entries of a repository's index back to what they were. Only those: the rest of it is somebody's work. */
async function putBackStaged(
  folder: string,
  kept: string,
  isWanted: (name: string) => boolean,
): Promise<void> {
  const before = entriesOf(readBytes(kept)?.toString('latin1') ?? '');
  const now = entriesOf(await git(folder, ['ls-files', '-z', '--stage'], { bytes: true }));
  const input: string[] = [];
  for (const name of new Set([...before.keys(), ...now.keys()])) {
    const was = before.get(name) ?? [];
    const is = now.get(name) ?? [];
    if (!isWanted(name) || was.join('\0') === is.join('\0')) continue;
    const id = (was[0] ?? is[0] ?? '').split(' ')[1] ?? '';
    input.push(`0 ${'0'.repeat(id.length)}\t${name}`, ...was);
  }
  if (input.length === 0) return;
  const args = ['-c', 'core.hooksPath=/dev/null', 'update-index', '-z', '--index-info'];
  await git(folder, args, { bytes: true, input: joinParts(input) });
}

/** Name → its lines: one, or up to three while it is unmerged. */
function entriesOf(staged: string): Map<string, string[]> {
  const entries = new Map<string, string[]>();
  for (const line of parts(staged)) {
    const name = line.slice(line.indexOf('\t') + 1);
    entries.set(name, [...(entries.get(name) ?? []), line]);
  }
  return entries;
}
