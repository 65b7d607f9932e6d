import { createHash } from 'node:crypto';
import path from 'node:path';
import { contentMark } from '../io/content.ts';
import { ownPlacesIn } from '../io/own-places.ts';
import type { TreeState } from './tree.ts';

/** Tells one state of a work tree from another by content: the commit, and a hash of all that differs from it. */
export function fingerprintOf(cwd: string, state: TreeState | undefined): string {
  if (!state) return '';
  const isOwn = ownPlacesIn(cwd);
  const names = [...state.dirty.keys()].filter((name) => !isOwn(name)).toSorted();
  const head = state.head.slice(0, 12) || 'no-commit';
  if (names.length === 0) return `${head}-clean`;
  const hash = createHash('sha256');
  for (const name of names) hash.update(`${name}\0${contentMark(path.join(cwd, name))}\0`);
  return `${head}-${hash.digest('hex').slice(0, 16)}`;
}
