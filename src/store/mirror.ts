import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../io/clock.ts';
import { changedAt, fingerprint, makeDir, readBytes, replaceFile } from '../io/files.ts';
import type { Entry, Fields, Json, Layout, Sheet, Wrong } from '../layout/layout.ts';
import type { Task } from '../task/schema.ts';
import { isCutOff } from './cut-off.ts';
import { hashOf } from './hash.ts';
import { noteFile, readNote, withVersion, writeNote, type MirrorNote } from './mirror-note.ts';

interface Cut {
  text: string;
  sheet: Sheet;
  index: ReadonlyMap<string, number>;
}

/** `""` is what stands where a sheet as a whole is wrong. No entry has that ref. */
export const wholeFile = '';
export interface Settling {
  /** A file that somebody else changed is left alone until it has been quiet for so long: it may be half saved. */
  settleMs: number;
  clock: Clock;
}
export type MirrorState = 'ours' | 'lost' | 'edited' | 'cut' | 'unsettled';
const blank = new Set([0x00, 0x09, 0x0a, 0x0d, 0x20]);

/** The file that lists tasks for people: what it says, whether somebody changed it, and writing it. */
export class Mirror {
  readonly path: string;
  readonly #layout: Layout;
  readonly #noteFile: string;
  readonly #baseFile: string;
  #note: MirrorNote;
  #cache: Cut | undefined;
  /** The version that was last looked at: only that one may be written over. */
  #seen: string | undefined;

  constructor(root: string, dir: string, layout: Layout) {
    this.#layout = layout;
    this.path = path.join(root, layout.mirror);
    this.#noteFile = noteFile(dir);
    this.#baseFile = path.join(dir, 'base');
    this.#note = readNote(this.#noteFile);
  }

  /** The journal's seq that the file shows. */
  get seq(): number {
    return this.#note.seq;
  }

  get wrongs(): Readonly<Record<string, Wrong>> {
    return this.#note.wrongs;
  }

  /**
   * "ours" is as we wrote it, "lost" must be written again, "edited" holds something we did not write, "cut" is the
   * first part of a file, and "unsettled" has changed within the last `settleMs`: somebody may be saving it.
   */
  state(settling: Settling): MirrorState {
    const now = fingerprint(this.path);
    this.#seen = now;
    if (now === this.#note.fingerprint) return 'ours';
    this.#note = readNote(this.#noteFile); // another process may have written the file
    if (now === this.#note.fingerprint) return 'ours';
    const bytes = readBytes(this.path);
    const hash = hashOf(bytes ?? '');
    if (bytes !== undefined && hash === this.#note.hashes.at(-1)) return 'ours';
    if (bytes !== undefined && this.#note.hashes.includes(hash)) return 'lost';
    if (this.unsettledMs(settling) > 0) return 'unsettled';
    // An empty file is what a power loss leaves, or a truncating editor for a moment: never "all tasks deleted".
    if (bytes === undefined || bytes.every((byte) => blank.has(byte))) return 'lost';
    const { text, sheet } = this.#cut(bytes);
    const baseText = readBytes(this.#baseFile)?.toString('utf8') ?? '';
    return isCutOff(text, sheet, baseText, this.#layout.split(baseText)) ? 'cut' : 'edited';
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

  sheet(): Sheet {
    return this.#cut(readBytes(this.path)).sheet;
  }

  base(): Sheet {
    return this.#layout.split(readBytes(this.#baseFile)?.toString('utf8'));
  }

  /**
   * Writes what the tasks say now into their entries; wrong entries stay as somebody left them. False when somebody
   * else wrote the file meanwhile, which must be looked at first.
   */
  write(
    tasks: Iterable<Task>,
    seq: number,
    wrongs: Readonly<Record<string, Wrong>>,
    from: 'file' | 'base',
  ): boolean {
    const { text, sheet, index } = this.#cut(readBytes(from === 'file' ? this.path : this.#baseFile));
    if (fingerprint(this.path) !== this.#seen) return false;
    if (sheet.wrong) return true;
    const entries: (Entry | undefined)[] = [...sheet.entries];
    const places = new Map(index);
    for (const task of tasks) {
      const ref = this.#layout.ref(task);
      if (!Object.hasOwn(wrongs, ref)) this.#place(entries, places, ref, this.#layout.describe(task), sheet);
    }
    const kept = entries.filter((entry) => entry !== undefined);
    const changed =
      kept.length !== sheet.entries.length || kept.some((entry, at) => entry !== sheet.entries[at]);
    const next = changed ? this.#layout.join({ ...sheet, entries: kept }) : text;
    const rewrite = (changed || from === 'base') && next !== '';
    if (rewrite && fingerprint(this.path) !== this.#seen) return false;
    this.#save(next, this.#baseFor(next, sheet, kept, wrongs), seq, wrongs, rewrite);
    return true;
  }

  /**
   * Of an entry that is wrong now, base keeps the version before: once it is mended, only what differs from that
   * one was changed by a person.
   */
  #baseFor(
    next: string,
    sheet: Sheet,
    kept: readonly Entry[],
    wrongs: Readonly<Record<string, Wrong>>,
  ): string {
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
    places: Map<string, number>,
    ref: string,
    fields: Fields | undefined,
    sheet: Sheet,
  ): void {
    const at = places.get(ref);
    const entry = at === undefined ? undefined : entries[at];
    if (at === undefined || entry === undefined) {
      if (fields === undefined) return;
      places.set(ref, entries.length);
      entries.push({ ref, text: this.#layout.render(fields, sheet), line: 0 });
    } else if (fields === undefined) {
      entries[at] = undefined;
    } else {
      const parsed = this.#layout.parse(entry);
      const changes = 'fields' in parsed ? differences(parsed.fields, fields) : undefined;
      if (changes) entries[at] = { ...entry, text: this.#layout.patch(entry, changes) };
    }
  }

  /**
   * First the note, so that the new version is known as ours the moment it appears; then the file; then base.
   * With base one version behind, our own change shows as "differs from base, equals the journal": no edit.
   */
  #save(
    next: string,
    base: string,
    seq: number,
    wrongs: Readonly<Record<string, Wrong>>,
    rewrite: boolean,
  ): void {
    const hash = hashOf(base);
    const note = withVersion(this.#note, hashOf(next));
    if (rewrite) {
      makeDir(path.dirname(this.path));
      writeNote(this.#noteFile, note);
      replaceFile(this.path, next);
      // Unless somebody saved it this moment: then it is not the version that we know as ours.
      this.#seen = isOfSize(fingerprint(this.path), Buffer.byteLength(next));
    }
    if (hash !== note.hash) replaceFile(this.#baseFile, base);
    this.#note = { ...note, seq, hash, fingerprint: this.#seen, wrongs };
    writeNote(this.#noteFile, this.#note);
  }

  #cut(bytes: Buffer | undefined): Cut {
    const text = bytes?.toString('utf8') ?? '';
    if (this.#cache?.text !== text) {
      const wrong = bytes && spoiled(bytes);
      const sheet = wrong ? { head: text, entries: [], tail: '', wrong } : this.#layout.split(text);
      this.#cache = { text, sheet, index: new Map(sheet.entries.map((entry, at) => [entry.ref, at])) };
    }
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

/** Bytes that we could not write back as they were, or that a power loss left: we do not touch such a file at all. */
function spoiled(bytes: Buffer): Wrong | undefined {
  const zero = bytes.indexOf(0);
  if (zero >= 0) {
    const fix = 'restore it from version control; or delete it, and docket writes it as the journal knows it';
    return { message: 'zero bytes stand in the file', fix, line: lineAt(bytes, zero), column: 1 };
  }
  if (isUtf8(bytes)) return undefined;
  const fix = 'save it as UTF-8 (iconv -f latin1 -t utf-8)';
  const text = bytes.toString('utf8');
  const line = text.slice(0, text.indexOf('\ufffd')).split('\n').length;
  return { message: 'the file is not valid UTF-8', fix, line, column: 1 };
}

function lineAt(bytes: Buffer, offset: number): number {
  let line = 1;
  for (let at = bytes.indexOf(10); at >= 0 && at < offset; at = bytes.indexOf(10, at + 1)) line += 1;
  return line;
}
