import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../io/clock.ts';
import { changedAt, fingerprint, makeDir, readBytes, replaceFile } from '../io/files.ts';
import { tryPidLock } from '../io/pid-lock.ts';
import type { Entry, Fields, Json, MirrorLayout, Sheet, Wrong } from '../layout/layout.ts';
import type { Task } from '../task/schema.ts';
import { isCutOff } from './cut-off.ts';
import { cutAfter, cutOf, type Cut } from './cut-sheet.ts';
import { hashOf } from './hash.ts';
import { noteFile, readNote, withVersion, writeNote, type MirrorNote } from './mirror-note.ts';
import { forgetOvertaken, longestSaveMs, noteOvertaken, overtakenText } from './overtaken.ts';

/** `""` is what stands where a sheet as a whole is wrong. No entry has that ref. */
export const wholeFile = '';
export interface Settling {
  /** A file that somebody else changed is left alone until it has been quiet for so long: it may be half saved. */
  settleMs: number;
  clock: Clock;
}
export type MirrorState = 'ours' | 'lost' | 'edited' | 'cut' | 'unsettled';
type Wrongs = Readonly<Record<string, Wrong>>;
/** What came of a write: done; somebody else wrote meanwhile, look first; another tool has the file locked. */
export type Written = 'written' | 'changed' | 'locked';
const blank = new Set([0x00, 0x09, 0x0a, 0x0d, 0x20]);

/** At which place an entry stands. */
interface Places {
  get(ref: string): number | undefined;
  set(ref: string, at: number): void;
}

/** The file that lists tasks for people: what it says, whether somebody changed it, and writing it. */
export class Mirror {
  readonly path: string;
  /** Of other tools that write this file. */
  readonly lockFile: string | undefined;
  readonly #layout: MirrorLayout;
  readonly #dir: string;
  readonly #noteFile: string;
  readonly #baseFile: string;
  #note: MirrorNote;
  #cache: Cut | undefined;
  /** The version that was last looked at: only that one may be written over. */
  #seen: string | undefined;
  /** It was cut off or empty then. */
  #halfSaved = false;
  /** It held something that we did not write. */
  #edited = false;

  constructor(root: string, dir: string, layout: MirrorLayout) {
    this.#layout = layout;
    this.path = path.join(root, layout.mirror);
    this.lockFile = layout.lock && path.join(root, layout.lock);
    this.#dir = dir;
    this.#noteFile = noteFile(dir);
    this.#baseFile = path.join(dir, 'base');
    this.#note = readNote(this.#noteFile);
  }

  /** The journal's seq that the file shows. */
  get seq(): number {
    return this.#note.seq;
  }

  get wrongs(): Wrongs {
    return this.#note.wrongs;
  }

  /**
   * "ours" is as we wrote it, "lost" must be written again, "edited" holds something we did not write, "cut" is the
   * first part of a file, and "unsettled" has changed within the last `settleMs`: somebody may be saving it.
   */
  state(settling: Settling): MirrorState {
    const now = fingerprint(this.path);
    this.#seen = now;
    this.#halfSaved = false;
    this.#edited = false;
    if (now === this.#note.fingerprint) return 'ours';
    this.#note = readNote(this.#noteFile); // another process may have written the file
    if (now === this.#note.fingerprint) return 'ours';
    const bytes = readBytes(this.path);
    const hash = hashOf(bytes ?? '');
    if (bytes !== undefined && hash === this.#note.hashes.at(-1)) return 'ours';
    if (bytes !== undefined && this.#note.hashes.includes(hash)) return 'lost';
    if (this.unsettledMs(settling) > 0) return 'unsettled';
    // An empty file is what a power loss leaves, or a truncating editor for a moment: never "all tasks deleted".
    if (bytes === undefined) return 'lost';
    this.#halfSaved = bytes.every((byte) => blank.has(byte));
    if (this.#halfSaved) return 'lost';
    const { text, sheet } = this.#cut(bytes);
    const baseText = readBytes(this.#baseFile)?.toString('utf8') ?? '';
    this.#halfSaved = isCutOff(text, sheet, baseText, this.#layout.split(baseText));
    this.#edited = !this.#halfSaved;
    return this.#edited ? 'edited' : 'cut';
  }

  /** A saving editor empties the file and fills it again, piece by piece: how long until it has been quiet? */
  unsettledMs({ settleMs, clock }: Settling): number {
    const changed = settleMs === 0 ? undefined : changedAt(this.path);
    if (changed === undefined) return 0;
    const age = clock.now() - changed;
    // A time far in the future is no time at all.
    return Math.abs(age) < settleMs ? Math.ceil(Math.min(settleMs, settleMs - age)) : 0;
  }

  /** Is base what the file showed at `seq`? Not after a crash between the two. */
  baseIsCurrent(): boolean {
    return hashOf(readBytes(this.#baseFile) ?? '') === this.#note.hash;
  }

  /** At which place the file, or base, has an entry. */
  places(from: 'file' | 'base'): ReadonlyMap<string, number> {
    return this.#cut(readBytes(from === 'file' ? this.path : this.#baseFile)).index;
  }

  sheet(): Sheet {
    return this.#cut(readBytes(this.path)).sheet;
  }

  base(): Sheet {
    return this.#layout.split(readBytes(this.#baseFile)?.toString('utf8'));
  }

  /** What a tool that slept inside the lock had read before. */
  overtaken(): Sheet | undefined {
    const text = this.lockFile === undefined ? undefined : overtakenText(this.#dir);
    return text === undefined ? undefined : this.#layout.split(text);
  }

  forgetOvertaken(): void {
    forgetOvertaken(this.#dir);
  }

  /** Writes what the tasks say now into their entries; wrong entries stay as somebody left them. */
  write(tasks: Iterable<Task>, seq: number, known: Wrongs, from: 'file' | 'base'): Written {
    const cut = this.#cut(readBytes(from === 'file' ? this.path : this.#baseFile));
    const { text, sheet, index } = cut;
    if (fingerprint(this.path) !== this.#seen) return 'changed';
    if (sheet.wrong) return 'written';
    const wrongs = { ...known };
    const entries: (Entry | undefined)[] = [...sheet.entries];
    const added = new Map<string, number>();
    const places: Places = {
      get: (ref) => added.get(ref) ?? index.get(ref),
      set: (ref, at) => void added.set(ref, at),
    };
    for (const task of tasks) {
      const ref = this.#layout.ref(task);
      if (Object.hasOwn(wrongs, ref)) continue;
      const stuck = this.#place(entries, places, ref, this.#layout.describe(task, sheet), sheet);
      if (stuck) wrongs[ref] = stuck;
    }
    const kept = entries.filter((entry) => entry !== undefined);
    const changed =
      kept.length !== sheet.entries.length || kept.some((entry, at) => entry !== sheet.entries[at]);
    const next = changed ? this.#layout.join({ ...sheet, entries: kept }) : text;
    const rewrite = (changed || from === 'base') && next !== '';
    const save = () => this.#save(next, this.#baseFor(next, sheet, kept, wrongs), seq, wrongs, rewrite);
    const broken = Object.keys(known).some((ref) => !Object.hasOwn(this.wrongs, ref));
    if (this.#halfSaved || broken) this.#expectSave();
    if (!rewrite) return save();
    const written = this.#locked(save);
    const after = written === 'written' ? cutAfter(cut, next, kept, this.#layout) : undefined;
    if (after) this.#cache = after; // the next look reads the same text
    return written;
  }

  /** While other tools that know the lock keep off. Where there is none, it is not needed. */
  #locked(save: () => Written): Written {
    if (this.lockFile === undefined) return save();
    makeDir(path.dirname(this.path));
    const lock = tryPidLock(this.lockFile);
    if (!lock.held) return 'locked';
    try {
      if (lock.overtook) {
        const text = readBytes(this.path)?.toString('utf8') ?? '';
        noteOvertaken(this.#dir, { ...lock.overtook, at: Date.now(), text });
      }
      return save();
    } finally {
      lock.release();
    }
  }

  /** Somebody may be in the middle of a save that we write over: the rest of it is made from what base says now. */
  #expectSave(): void {
    const text = this.lockFile === undefined ? undefined : readBytes(this.#baseFile)?.toString('utf8');
    if (text === undefined || text === '' || overtakenText(this.#dir) !== undefined) return;
    noteOvertaken(this.#dir, { pid: undefined, at: Date.now(), text, withinMs: longestSaveMs });
  }

  /**
   * Of an entry that is wrong now, base keeps the version before: once it is mended, only what differs from that
   * one was changed by a person.
   */
  #baseFor(next: string, sheet: Sheet, kept: readonly Entry[], wrongs: Wrongs): string {
    if (Object.keys(wrongs).length === 0) return next;
    const before = new Map(this.base().entries.map((entry) => [entry.ref, entry]));
    const entries = kept.flatMap((entry) =>
      Object.hasOwn(wrongs, entry.ref) ? (before.get(entry.ref) ?? []) : entry,
    );
    const present = new Set(kept.map(({ ref }) => ref));
    const missing = [...before.values()].filter(({ ref }) => Object.hasOwn(wrongs, ref) && !present.has(ref));
    return this.#layout.join({ ...sheet, entries: [...entries, ...missing] });
  }

  #place(
    entries: (Entry | undefined)[],
    places: Places,
    ref: string,
    fields: Fields | undefined,
    sheet: Sheet,
  ): Wrong | undefined {
    const at = places.get(ref);
    const entry = at === undefined ? undefined : entries[at];
    if (at === undefined || entry === undefined) {
      if (fields === undefined) return undefined;
      places.set(ref, entries.length);
      entries.push({ ref, text: this.#layout.render(fields, sheet), line: 0 });
    } else if (fields === undefined) {
      entries[at] = undefined;
    } else {
      const parsed = this.#layout.parse(entry);
      const changes = 'fields' in parsed ? differences(parsed.fields, fields) : undefined;
      const patched = changes ? this.#layout.patch(entry, changes) : entry.text;
      if (typeof patched !== 'string') return patched;
      if (changes) entries[at] = { ...entry, text: patched };
    }
    return undefined;
  }

  /**
   * First the note, so that the new version is known as ours the moment it appears; then the file; then base.
   * With base one version behind, our own change shows as "differs from base, equals the journal": no edit.
   */
  #save(next: string, base: string, seq: number, wrongs: Wrongs, rewrite: boolean): Written {
    const version = hashOf(next);
    const hash = base === next ? version : hashOf(base);
    const note = withVersion(this.#note, version, this.#edited);
    if (rewrite) {
      makeDir(path.dirname(this.path));
      writeNote(this.#noteFile, note);
      // Whoever wrote it since we looked is not overwritten, lock or no lock.
      if (!replaceFile(this.path, next, { still: () => fingerprint(this.path) === this.#seen }))
        return 'changed';
      // Unless somebody saved it this moment: then it is not the version that we know as ours.
      this.#seen = isOfSize(fingerprint(this.path), Buffer.byteLength(next));
    }
    if (hash !== note.hash) replaceFile(this.#baseFile, base, { own: true });
    this.#note = { ...note, seq, hash, fingerprint: this.#seen, wrongs };
    writeNote(this.#noteFile, this.#note);
    return 'written';
  }

  #cut(bytes: Buffer | undefined): Cut {
    const text = bytes?.toString('utf8') ?? '';
    if (this.#cache?.text !== text) this.#cache = cutOf(bytes, text, this.#layout);
    return this.#cache;
  }
}

function isOfSize(version: string | undefined, bytes: number): string | undefined {
  return version?.split('.')[1] === String(bytes) ? version : undefined;
}

function differences(from: Fields, to: Fields): Record<string, Json | undefined> | undefined {
  const changes: Record<string, Json | undefined> = {};
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
    if (!isDeepStrictEqual(from[key], to[key])) changes[key] = to[key];
  }
  return Object.keys(changes).length > 0 ? changes : undefined;
}
