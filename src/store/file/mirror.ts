import path from 'node:path';
import { changedAt, fingerprint, makeDir, readBytes, replaceFile } from '../../io/files.ts';
import { tryPidLock } from '../../io/pid-lock.ts';
import type { Entry, MirrorLayout, Sheet } from '../../layout/layout.ts';
import type { Wrong } from '../../schema/problem.ts';
import type { Task } from '../../task/schema.ts';
import { hashOf } from './blobs.ts';
import { type Cut, cutAfter, cutOf, isCutOff } from './cut-sheet.ts';
import type { Settling } from './files-in-step.ts';
import type { HeldRemoval } from './held-removals.ts';
import { noteFile, readNote, withVersion, writeNote, type MirrorNote } from './mirror-note.ts';
import { type Places, placeEntry, withMissing } from './place-entry.ts';
import {
  type Change,
  type Origin,
  Versions,
  changesBetween,
  findOrigin,
  forgetOvertaken,
  longestSaveMs,
  noteOvertaken,
  overtakenText,
} from './versions.ts';

export type MirrorState = 'ours' | 'lost' | 'edited' | 'cut' | 'unsettled';
type Wrongs = Readonly<Record<string, Wrong>>;
/** What came of a write: done; somebody else wrote meanwhile, look first; another tool has the file locked. */
export type Written = 'written' | 'changed' | 'locked';
const blank = new Set([0x00, 0x09, 0x0a, 0x0d, 0x20]);

/** What is known about entries when the file is written. */
interface WriteAbout {
  wrongs: Wrongs;
  held: readonly HeldRemoval[];
  /** Entries whose edit was refused: the same edit again is an edit, and not an older copy. */
  refused?: ReadonlySet<string>;
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
  readonly #versions: Versions | undefined;
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
    this.#versions = layout.remembersVersions && new Versions(dir);
    this.#note = readNote(this.#noteFile);
  }

  /** The journal's seq that the file shows. */
  get seq(): number {
    return this.#note.seq;
  }

  get wrongs(): Wrongs {
    return this.#note.wrongs;
  }

  /** Removals that wait for a person. */
  get held(): readonly HeldRemoval[] {
    return this.#note.held ?? [];
  }

  /** Under the lock. */
  forgetHeld(): void {
    const { held: _, ...note } = this.#note;
    this.#note = note;
    writeNote(this.#noteFile, note);
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

  /** The version of ours that somebody made `file` from. Undefined: this mirror has no versions. */
  origin(file: Sheet): Origin | undefined {
    if (!this.#versions || file.wrong) return undefined;
    const text = readBytes(this.#baseFile)?.toString('utf8') ?? '';
    return findOrigin(this.#layout, this.#layout.split(text), this.#versions.read(hashOf(text)), file);
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
  write(
    tasks: readonly Task[],
    seq: number,
    { wrongs: known, held, refused }: WriteAbout,
    from: 'file' | 'base',
  ): Written {
    const cut = this.#cut(readBytes(from === 'file' ? this.path : this.#baseFile));
    const { text, sheet } = cut;
    if (fingerprint(this.path) !== this.#seen) return 'changed';
    if (sheet.wrong) return 'written';
    const wrongs = { ...known };
    const isRestored = this.#edited && this.#versions !== undefined;
    const { entries: whole, index } = isRestored
      ? withMissing(this.#layout, cut, this.base(), tasks, wrongs)
      : { entries: sheet.entries, index: cut.index };
    const entries: (Entry | undefined)[] = [...whole];
    const added = new Map<string, number>();
    const places: Places = {
      get: (ref) => added.get(ref) ?? index.get(ref),
      set: (ref, at) => void added.set(ref, at),
    };
    for (const task of tasks) {
      const ref = this.#layout.ref(task);
      if (Object.hasOwn(wrongs, ref)) continue;
      const stuck = placeEntry(this.#layout, entries, places, ref, this.#layout.describe(task, sheet), sheet);
      if (stuck) wrongs[ref] = stuck;
    }
    const kept = entries.filter((entry) => entry !== undefined);
    const changed =
      kept.length !== sheet.entries.length || kept.some((entry, at) => entry !== sheet.entries[at]);
    const next = changed ? this.#layout.join({ ...sheet, entries: kept }) : text;
    const rewrite = (changed || from === 'base') && next !== '';
    const changes = changesBetween(sheet.entries, kept).filter(([ref]) => !refused?.has(ref));
    const save = () =>
      this.#save(next, this.#baseFor(next, sheet, kept, wrongs), { seq, wrongs, held }, changes, rewrite);
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

  /**
   * First the note, so that the new version is known as ours the moment it appears; then the file; then base.
   * With base one version behind, our own change shows as "differs from base, equals the journal": no edit.
   */
  #save(
    next: string,
    base: string,
    { seq, wrongs, held }: Pick<MirrorNote, 'seq' | 'wrongs'> & { held: readonly HeldRemoval[] },
    changes: Change['before'],
    rewrite: boolean,
  ): Written {
    const version = hashOf(next);
    const hash = base === next ? version : hashOf(base);
    const note = withVersion(this.#note, version, this.#edited);
    this.#remember(hash, changes);
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
    const { held: _, ...rest } = note;
    this.#note = {
      ...rest,
      seq,
      hash,
      fingerprint: this.#seen,
      wrongs,
      ...(held.length > 0 && { held }),
    };
    writeNote(this.#noteFile, this.#note);
    return 'written';
  }

  /** Before the file is written: what it says next may be open in an editor a moment later. */
  #remember(to: string, before: Change['before']): void {
    const from = this.#edited ? '' : this.#note.hash;
    if (from !== to) this.#versions?.add({ from, to, before });
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
