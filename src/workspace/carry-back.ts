import { createHash } from 'node:crypto';
import path from 'node:path';
import { DocketError } from '../errors.ts';
import { contentAt } from '../io/content.ts';
import { kindOfName, moveUnlessThere, placeVersion, removeName } from '../io/copies.ts';
import { makeDir } from '../io/files.ts';
import { removeEmptyFolder, removeTree } from '../io/folders.ts';
import { exists, isFileOrLink, isRealFolder } from '../io/links.ts';
import { holdsOwnPlaceIn, ownPlacesIn } from '../io/own-places.ts';
import { appendPlain } from '../io/plain-file.ts';
import { readTextFile } from '../io/text-file.ts';
import type { Changed, Version } from './changes.ts';

/** One file that an agent changed in its copy: what it was when the copy was made, and what it is now. */
interface Wanted {
  /** From the root, as text. */
  path: string;
  before: Version;
  now: Version;
}

/** Where files are carried, from where, and the journal that says how far it came. */
export interface Carrying {
  from: string;
  to: string;
  /** git's name for its hash: sha1 or sha256. */
  format: string;
  journal: string;
  /** A folder of docket's own on the same disk, for files that are not in their place yet. */
  scratch: string;
}

/** What is to happen with one file, given what is in people's tree at this moment. */
export type Step = 'write' | 'done' | 'conflict';

const absent = '000000';
const same = (a: Version, b: Version): boolean => a.mode === b.mode && (a.mode === absent || a.id === b.id);

/** A person's version is never replaced: only what is still as it was before the agent is. */
export function stepFor({ before, now }: Pick<Wanted, 'before' | 'now'>, current: Version): Step {
  if (same(before, now) || same(current, now)) return 'done';
  return same(current, before) ? 'write' : 'conflict';
}

/**
 * Brings an agent's changes into people's tree: all of them, or none where somebody else changed one of the same files
 * meanwhile. Each file is noted when it is in place, so that a docket that is killed here goes on where it stopped. A
 * conflict that was reported once is settled by the person who resumes: the file stays as they left it.
 */
export function carryBack(
  changes: readonly Changed[],
  at: Carrying,
): { carried: string[]; conflicts: string[] } {
  const noted = readJournal(at.journal);
  const wanted = wantedFrom(changes, noted);
  const open = wanted.filter(({ path: name }) => !noted.conflicts.has(name));
  const leaving = new Set(open.filter(({ now }) => now.mode === absent).map((one) => one.path));
  const stepOf = (one: Wanted): Step => stepFor(one, versionAt(at, one.path, leaving));
  const found = open.filter((one) => stepOf(one) === 'conflict').map((one) => one.path);
  // A file goes before others that need its name for a folder.
  const ordered = [...open].toSorted((a, b) => rank(a) - rank(b));
  const late: string[] = [];
  if (found.length === 0)
    for (const one of ordered) {
      const step = stepOf(one);
      if (step === 'conflict') late.push(one.path);
      if (step === 'write') place(one, at);
      if (step !== 'conflict' && one.now.mode === absent) removeEmptied(one.path, at);
      if (step !== 'conflict') note(at.journal, { path: one.path, was: originOf(one, noted), now: one.now });
    }
  const conflicts = [...found, ...late];
  for (const name of conflicts) note(at.journal, { conflict: name });
  const { carried } = readJournal(at.journal);
  return { carried: [...carried.keys()], conflicts };
}

const rank = ({ now }: Wanted): number => (now.mode === absent ? 0 : 1);

type Line = { path: string; was: Version; now: Version } | { conflict: string };

interface Journal {
  carried: Map<string, { was: Version; now: Version }>;
  conflicts: Set<string>;
}

const longest = 256 * 1024 * 1024;

function readJournal(file: string): Journal {
  const journal: Journal = { carried: new Map(), conflicts: new Set() };
  for (const text of (readTextFile(file, longest) ?? '').split('\n')) {
    try {
      const line = JSON.parse(text) as Line;
      if ('conflict' in line) journal.conflicts.add(line.conflict);
      else journal.carried.set(line.path, { was: line.was, now: line.now });
    } catch {
      // The last line was cut off by a kill: that file is looked at again.
    }
  }
  return journal;
}

function note(file: string, line: Line): void {
  appendPlain(file, `${JSON.stringify(line)}\n`);
}

/** What an earlier try brought is measured from there, and what a later try took back is taken back. */
function wantedFrom(changes: readonly Changed[], { carried }: Journal): Wanted[] {
  const wanted = new Map<string, Wanted>();
  for (const { path: name, before, now } of changes)
    if (before && now) wanted.set(name, { path: name, before: carried.get(name)?.now ?? before, now });
  for (const [name, { was, now }] of carried)
    if (!wanted.has(name)) wanted.set(name, { path: name, before: now, now: was });
  return [...wanted.values()];
}

const originOf = ({ path: name, before }: Wanted, { carried }: Journal): Version =>
  carried.get(name)?.was ?? before;

/** As git would name it. `leaving`: files that go, and so are in nobody's way. */
function versionAt({ to, format }: Carrying, name: string, leaving: ReadonlySet<string>): Version {
  const folders = name.split('/').slice(0, -1);
  const above = folders.map((_, at) => folders.slice(0, at + 1).join('/'));
  const inTheWay = above.find((folder) => isFileOrLink(path.join(to, folder)));
  if (inTheWay !== undefined)
    return leaving.has(inTheWay) ? { mode: absent, id: '' } : { mode: 'other', id: inTheWay };
  const content = contentAt(path.join(to, name), Infinity);
  if (!content) return { mode: absent, id: '' };
  if (content.kind === 'other') {
    const isEmptied =
      isRealFolder(path.join(to, name)) && [...leaving].some((gone) => gone.startsWith(`${name}/`));
    return isEmptied ? { mode: absent, id: '' } : { mode: 'other', id: '' };
  }
  const hash = createHash(format).update(`blob ${content.bytes.length}\0`).update(content.bytes);
  return { mode: modes[content.kind], id: hash.digest('hex') };
}

const modes = { file: '100644', program: '100755', link: '120000' } as const;

function place({ path: name, now }: Wanted, at: Carrying): void {
  const target = path.join(at.to, name);
  if (now.mode === absent) {
    removeName(target);
    return;
  }
  if (!same(versionAt({ ...at, to: at.from }, name, new Set()), now))
    throw new DocketError(
      'IO',
      `${path.join(at.from, name)} changed while docket was taking it over`,
      'end the program that still writes there, then run the packet again',
      { path: name },
    );
  makeDir(path.dirname(target));
  if (isRealFolder(target)) removeEmptyFolder(target);
  makeDir(at.scratch);
  placeVersion(path.join(at.from, name), target, path.join(at.scratch, 'half'));
}

/** Folders that the agent's copy does not have, and that hold nothing any more. */
function removeEmptied(name: string, { from, to }: Carrying): void {
  for (let folder = path.dirname(name); folder !== '.'; folder = path.dirname(folder)) {
    const place = path.join(to, folder);
    if (!exists(path.join(from, folder)) && isRealFolder(place)) removeEmptyFolder(place);
  }
}

/** Keeps an agent's versions of files that a person changed too. Returns where they are. */
export function keepVersions(from: string, names: readonly string[], folder: string): string {
  for (const name of names) {
    const to = path.join(folder, name);
    removeTree(to);
    makeDir(path.dirname(to));
    if (isFileOrLink(path.join(from, name))) placeVersion(path.join(from, name), to, `${to}.half`);
  }
  return folder;
}

/**
 * What git ignores is nobody's change, but people's commands may need it: dependencies that an agent installed, say. What
 * is new in the copy and not in people's tree goes there.
 */
export function bringIgnored(ignored: readonly string[], { from, to }: Pick<Carrying, 'from' | 'to'>): void {
  const [isOwn, holdsOwn] = [ownPlacesIn(to), holdsOwnPlaceIn(to)];
  for (const entry of ignored) {
    const name = entry.replace(/\/$/, '');
    const at = path.join(from, name);
    if (isOwn(name) || holdsOwn(name) || kindOfName(at)?.kind === 'link' || !exists(at)) continue;
    if (isRealFolder(path.dirname(at))) moveUnlessThere(at, path.join(to, name));
  }
}
