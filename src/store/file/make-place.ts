import path from 'node:path';
import { createFile, makeDir, sizeAndInode, syncDir } from '../../io/files.ts';
import { checkFileSystem } from '../../io/fs-kind.ts';
import { bestLockKind, type LockKind } from '../../io/lock.ts';
import { ignoreOwn } from '../../io/own-ignore.ts';
import { readFacts, type Place, type StoreFacts } from './place.ts';

/** Makes the folder if there is none. Two processes that come first at once agree: the second reads the first's. */
export function makePlace(
  place: Place,
  made: { layout: string; id: string; lockKind?: LockKind | undefined },
  warn: (warning: string) => void,
): StoreFacts {
  const doubt = checkFileSystem(nearestExisting(place.dir));
  if (doubt !== undefined) warn(doubt);
  makeDir(place.dir);
  makeDir(place.runLocks);
  makeDir(path.dirname(place.journal));
  const top = ownTop(place.dir);
  if (top !== undefined) ignoreOwn(top);
  const { id, layout, lockKind } = made;
  const facts: StoreFacts = { v: 1, id, layout, lock: lockKind ?? bestLockKind() };
  if (createFile(path.join(place.dir, 'store.json'), `${JSON.stringify(facts, null, 2)}\n`, { sync: true })) {
    // A file is on disk when every folder above it is.
    syncDir(path.dirname(place.dir));
    syncDir(path.dirname(path.dirname(place.dir)));
  }
  return readFacts(place) ?? facts;
}

/** The folder that is ours as a whole. Below people's own folders there is none, and it is theirs what git sees. */
function ownTop(dir: string): string | undefined {
  for (let at = path.dirname(dir); path.dirname(at) !== at; at = path.dirname(at))
    if (path.basename(at) === '.docket') return at;
  return undefined;
}

function nearestExisting(dir: string): string {
  for (let at = dir; ; at = path.dirname(at)) {
    if (sizeAndInode(at) !== undefined || path.dirname(at) === at) return at;
  }
}
