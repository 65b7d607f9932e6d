import path from 'node:path';
import { kindOfName } from '../io/copies.ts';
import { readBytes } from '../io/files.ts';
import { isDirectory } from '../io/find-up.ts';
import { exists } from '../io/links.ts';

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

/** The branch that stands in the work tree; undefined: none, or git has to be asked. */
export function branchInHead(gitDir: string): string | undefined {
  return /^ref: refs\/heads\/(.+)\n$/.exec(fileText(path.join(gitDir, 'HEAD')))?.[1];
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
