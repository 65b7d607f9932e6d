import path from 'node:path';
import { createFile, makeDir, removeFile, replaceFile } from '../io/files.ts';
import { removeTree } from '../io/folders.ts';
import { tryGit } from '../io/git.ts';
import { contentOf, isFileOrLink, isRealFolder, linkUnlessThere, realFolder } from '../io/links.ts';
import { makeOwnFolder } from '../io/own-folder.ts';
import { walk } from '../io/walk.ts';

type Content = readonly [kind: string, content: string];

/** What files hold, by their paths from a root: bytes, or where a link leads. */
export type Contents = Readonly<Record<string, Content>>;

/** Of files and of all in folders. What lies behind a link is not looked at. */
export function contentsOf(given: string, places: readonly string[]): Contents {
  const root = realFolder(given);
  const names = places.flatMap((place) => [...namesBelow(root, place)]);
  return Object.fromEntries(
    names.map((name) => {
      const [kind, content] = contentOf(path.join(root, name));
      return [name, [kind === 'link' ? 'link' : 'file', content]];
    }),
  );
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

/** Makes these files what they were. Returns a patch of what they had become, as bytes. */
export async function putBack(
  given: string,
  home: string,
  versions: { before: Contents; now: Contents },
  names: readonly string[],
): Promise<Buffer> {
  const root = realFolder(given);
  const patch = await patchOf(home, versions, names);
  for (const name of names) putBackOne(root, name, versions.before[name]);
  return patch;
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
  const bytes = Buffer.from(content, 'latin1');
  const isPlain = isFileOrLink(file) && contentOf(file)[0] !== 'link';
  if (kind === 'file' && isPlain) replaceFile(file, bytes);
  else {
    removeTree(file);
    if (kind === 'link') linkUnlessThere(content, file);
    else createFile(file, bytes);
  }
}

/** By git, from copies in a folder of ours: it knows how to write down bytes that are no text. */
async function patchOf(
  home: string,
  { before, now }: { before: Contents; now: Contents },
  names: readonly string[],
): Promise<Buffer> {
  const folder = path.join(home, 'put-back');
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
