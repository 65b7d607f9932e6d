import path from 'node:path';
import { kindOfName } from '../io/copies.ts';
import { readBytes } from '../io/files.ts';
import { isDirectory } from '../io/find-up.ts';
import { exists } from '../io/links.ts';
import { walk } from '../io/walk.ts';

const plainRef = /^refs(\/[A-Za-z0-9_][\w-]*(\.[A-Za-z0-9_][\w-]*)*)+$/;

/**
 * What a ref stands at, as git's own files say: in one of its own, or in the list, and the first counts. Undefined: there
 * is none, or it is not to be had so simply, and git has to be asked.
 */
export function refInFiles(common: string, ref: string): string | undefined {
  if (!plainRef.test(ref)) return undefined; // it could lead out of the folder
  const file = path.join(common, ref);
  const folder = path.dirname(file);
  const kind = exists(folder) && isDirectory(folder) ? kindOfName(file)?.kind : undefined;
  if (kind === 'file') return /^([0-9a-f]{40})\n$/.exec(fileText(file))?.[1];
  if (kind === 'link' || kind === 'other') return undefined;
  const list = fileText(path.join(common, 'packed-refs'));
  const at = list.indexOf(` ${ref}\n`);
  return at < 0 ? undefined : /(?:^|\n)([0-9a-f]{40})$/.exec(list.slice(Math.max(0, at - 41), at))?.[1];
}

/**
 * Every ref below folders such as `refs/heads`, as git's own files say. Undefined: one of them is not plain, and git has to be
 * asked. The list is read last, because git moves refs into it and never out of it.
 */
export function refsInFiles(common: string, folders: readonly string[]): Map<string, string> | undefined {
  const loose = new Map<string, string>();
  for (const folder of folders) {
    const dir = path.join(common, folder);
    if (!exists(dir)) continue;
    for (const { path: name, kind } of walk(dir, () => true)) {
      if (kind === 'folder' || name.endsWith('.lock')) continue;
      if (kind !== 'file') return undefined;
      const bytes = readBytes(path.join(dir, name));
      if (bytes === undefined) continue; // moved into the list
      const commit = /^([0-9a-f]{40})\n$/.exec(bytes.toString('latin1'))?.[1];
      if (commit === undefined) return undefined;
      loose.set(`${folder}/${name}`, commit);
    }
  }
  const refs = new Map<string, string>();
  for (const line of fileText(path.join(common, 'packed-refs')).split('\n')) {
    const [, commit, ref] = /^([0-9a-f]{40}) (.+)$/.exec(line) ?? [];
    if (commit !== undefined && ref !== undefined && folders.some((folder) => ref.startsWith(`${folder}/`)))
      refs.set(ref, commit);
  }
  for (const [ref, commit] of loose) refs.set(ref, commit);
  return refs;
}

/** The branch that stands in the work tree; undefined: none, or git has to be asked. */
export function branchInHead(gitDir: string): string | undefined {
  return /^ref: refs\/heads\/(.+)\n$/.exec(fileText(path.join(gitDir, 'HEAD')))?.[1];
}

/** The full name of the branch that stands in the work tree, or a commit; undefined: git has to be asked. */
export function headTextInFiles(gitDir: string): string | undefined {
  return /^(?:ref: (refs\/heads\/.+)|([0-9a-f]{40}))\n$/
    .exec(fileText(path.join(gitDir, 'HEAD')))
    ?.slice(1)
    .find(Boolean);
}

/** The commit that the work tree stands at, on a branch; undefined: git has to be asked. */
export function headInFiles(gitDir: string): string | undefined {
  const branch = branchInHead(gitDir);
  const isElsewhere = exists(path.join(gitDir, 'commondir'));
  return branch === undefined || isElsewhere ? undefined : refInFiles(gitDir, `refs/heads/${branch}`);
}

function fileText(file: string): string {
  const isFile = exists(file) && kindOfName(file)?.kind === 'file';
  return (isFile ? readBytes(file) : undefined)?.toString('utf8') ?? '';
}
