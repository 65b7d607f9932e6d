import { posix } from 'node:path';
import picomatch from 'picomatch';
import { DocketError } from '../errors.ts';
import { isOwnPlace } from '../io/own-places.ts';

export interface Scope {
  allow: readonly string[];
  deny: readonly string[];
}

/** `s`: a name may have a newline in it. No `!`: it would turn an entry into its opposite. */
const options = { dot: true, flags: 's', nonegate: true, noextglob: true };

/** The changes that are not in scope. An empty `allow` allows nothing; `deny` wins; git's own folder is never in scope. */
export function outOfScope(
  changes: readonly { path: string }[],
  scope: Scope,
): { path: string; reason: string }[] {
  const allowed = scope.allow.map((entry) => matcher(entry, 'allow'));
  const denied = scope.deny.map((entry) => ({ entry, matches: matcher(entry, 'deny') }));
  return changes.flatMap(({ path }) => {
    if (isOwnPlace(path)) return [];
    if (path.split('/').some((part) => part.toLowerCase() === '.git'))
      return [{ path, reason: "belongs to git's own folder" }];
    const no = denied.find(({ matches }) => matches(path));
    if (no) return [{ path, reason: `is denied by ${JSON.stringify(no.entry)} in scope.deny` }];
    return allowed.some((matches) => matches(path)) ? [] : [{ path, reason: 'is not in scope.allow' }];
  });
}

/**
 * The changes that are not to be applied: those out of scope, links that lead out of the tree, and, where something was
 * added out of scope, what was deleted in scope: it may be the other half of a rename, and would be lost.
 */
export function notToApply(
  changes: readonly { path: string; kind: string }[],
  scope: Scope,
  linkAt: (path: string) => string | undefined,
): { path: string; reason: string }[] {
  const outside = outOfScope(changes, scope);
  const known = new Set(outside.map(({ path }) => path));
  const inside = changes.filter(({ path }) => !known.has(path));
  const leads = inside.filter(({ path, kind }) => kind === 'symlink' && leadsOut(path, linkAt));
  const isMoved = changes.some(({ path, kind }) => known.has(path) && kind !== 'deleted' && kind !== 'hook');
  const deleted = isMoved ? inside.filter(({ kind }) => kind === 'deleted') : [];
  return [
    ...outside,
    ...leads.map(({ path }) => ({ path, reason: `leads out of the repository, to ${linkAt(path)}` })),
    ...deleted.map(({ path }) => ({ path, reason: 'was deleted, and files were added out of scope' })),
  ];
}

const mostLinks = 40;

/** Followed as the system follows it, links on the way included: each by itself may stay inside. */
function leadsOut(link: string, linkAt: (path: string) => string | undefined): boolean {
  const way: string[] = [];
  const left = link.split('/');
  for (let links = 0; left.length > 0 && links < mostLinks;) {
    const part = left.shift() as string;
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (way.pop() === undefined) return true;
      continue;
    }
    way.push(part);
    const at = way.join('/');
    const target = linkAt(at);
    if (target === undefined) continue;
    if (posix.isAbsolute(target)) {
      if (at === link) return true;
      continue; // the linked folders of people's tree (`node_modules`); one that an agent made is told by itself
    }
    links += 1;
    way.pop();
    left.unshift(...target.split('/'));
  }
  return false;
}

/** What is to be watched although git ignores it: what `deny` names. */
export function watchedBy(scope: Scope): { below: string[]; matches: (path: string) => boolean } {
  const denied = scope.deny.map((entry) => matcher(entry, 'deny'));
  return {
    below: scope.deny.map((entry) => picomatch.scan(plain(entry) || '.').base || '.'),
    matches: (path) => denied.some((matches) => matches(path)),
  };
}

/**
 * An entry is a file, a folder with all in it, or a pattern. What looks like a pattern may be a name as well, such as
 * `app/[id]/page.tsx`. A pattern that denies a folder denies all in it.
 */
function matcher(entry: string, list: 'allow' | 'deny'): (path: string) => boolean {
  assertInside(entry, list);
  const name = plain(entry);
  if (name === '') return () => true;
  const pattern = picomatch(entry.endsWith('/') ? `${name}/**/*` : name, options);
  return (path) =>
    (path === name && !entry.endsWith('/')) ||
    path.startsWith(`${name}/`) ||
    pattern(path) ||
    (list === 'deny' && foldersOf(path).some((folder) => pattern(folder)));
}

/** `./src/` → `src`; the root itself is ''. */
const plain = (entry: string): string =>
  entry
    .split('/')
    .filter((part) => part !== '.' && part !== '')
    .join('/');

const foldersOf = (path: string): string[] =>
  path.split('/').map((_, index, names) => names.slice(0, index).join('/'));

function assertInside(entry: string, list: string): void {
  const wrong =
    entry.trim() === '' ||
    entry.startsWith('/') ||
    /^[A-Za-z]:|[\\\0]/.test(entry) ||
    entry.split('/').includes('..');
  if (!wrong) return;
  throw new DocketError(
    'INVALID',
    `scope.${list} has ${JSON.stringify(entry)}, which is no path inside the work tree`,
    'write paths from the root, with forward slashes and without ".."',
    { entry },
  );
}
