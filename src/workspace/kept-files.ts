import path from 'node:path';
import { createFile, makeDir, removeFile, replaceFile } from '../io/files.ts';
import { removeTree } from '../io/folders.ts';
import { tryGit } from '../io/git.ts';
import { contentOf, isFileOrLink, isRealFolder, linkUnlessThere, realFolder } from '../io/links.ts';
import { makeOwnFolder } from '../io/own-folder.ts';
import { walk } from '../io/walk.ts';

type Content = readonly [kind: string, content: string];

/** What files hold, by their paths from a root: bytes and whether they can be started, or where a link leads. */
export type Contents = Readonly<Record<string, Content>>;

/** Of files and of all in folders. What lies behind a link is not looked at. */
export function contentsOf(given: string, places: readonly string[]): Contents {
  const root = realFolder(given);
  const names = places.flatMap((place) => [...namesBelow(root, place)]);
  return Object.fromEntries(names.map((name) => [name, contentOf(path.join(root, name))]));
}

function* namesBelow(root: string, place: string): Generator<string> {
  const at = path.join(root, place);
  if (!isRealFolder(path.dirname(at))) return;
  if (isFileOrLink(at)) yield place;
  if (!isRealFolder(at)) return;
  for (const { path: name, kind } of walk(at, () => true))
    if (kind === 'file' || kind === 'link') yield `${place}/${name}`;
}

/** What is another, new or gone. */
export function touchedSince(before: Contents, now: Contents): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].toSorted();
  return names.filter((name) => String(before[name]) !== String(now[name]));
}

/** Makes these files what they were. */
export function putBack(given: string, before: Contents, names: readonly string[]): void {
  const root = realFolder(given);
  for (const name of names) putBackOne(root, name, before[name]);
}

/** Copies of what these files were, below a folder of ours: for their owner only, because some of them hold secrets. */
export function keepCopies(folder: string, before: Contents, names: readonly string[]): void {
  for (const name of names) {
    const was = before[name];
    if (!was) continue;
    makeOwnFolder(folder, ...name.split('/').slice(0, -1));
    create(path.join(folder, name), was, 0o700);
  }
}

function putBackOne(root: string, name: string, was: Content | undefined): void {
  const file = path.join(root, name);
  const folders = name.split('/').slice(0, -1);
  // A link in the place of a folder would lead us elsewhere: when the file was read there was none.
  for (const [at] of folders.entries()) {
    const folder = path.join(root, ...folders.slice(0, at + 1));
    if (isFileOrLink(folder)) removeFile(folder);
  }
  if (!was) return removeTree(file);
  makeOwnFolder(root, ...folders);
  const [kind, content] = was;
  if (kind !== 'link' && isFileOrLink(file) && contentOf(file)[0] === kind)
    replaceFile(file, Buffer.from(content, 'latin1'));
  else {
    removeTree(file);
    create(file, was);
  }
}

/** A hook that cannot be started is none: a program is made as one. */
function create(file: string, [kind, content]: Content, most = 0o777): void {
  if (kind === 'link') linkUnlessThere(content, file);
  else
    createFile(file, Buffer.from(content, 'latin1'), { mode: (kind === 'program' ? 0o777 : 0o666) & most });
}

/** What files have become, as bytes. By git, from copies in a folder of ours: it knows how to write down bytes that are no text. */
export async function patchOf(
  home: string,
  { before, now }: { before: Contents; now: Contents },
  names: readonly string[],
): Promise<Buffer> {
  const folder = path.join(home, 'compared');
  removeTree(folder);
  for (const [side, contents] of Object.entries({ a: before, b: now })) {
    makeDir(path.join(folder, side));
    for (const name of names) {
      const content = contents[name];
      if (!content) continue;
      makeDir(path.dirname(path.join(folder, side, name)));
      createFile(path.join(folder, side, name), Buffer.from(content[1], 'latin1'));
    }
  }
  const plain = ['--no-prefix', '--binary', '--no-renames', '--no-ext-diff', '--no-textconv', '--no-color'];
  const { stdout } = await tryGit(folder, ['diff', '--no-index', ...plain, 'a', 'b'], { bytes: true });
  removeTree(folder);
  return Buffer.from(stdout, 'latin1');
}
