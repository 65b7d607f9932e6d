import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { fingerprint, makeDir, readBytes, replaceFile } from '../io/files.ts';
import type { Entry, Fields, Json, Layout, Sheet, Wrong } from '../layout/layout.ts';
import type { Task } from '../task/schema.ts';
import { hashOf, readNote, withVersion, writeNote, type MirrorNote } from './mirror-note.ts';

interface Cut {
  text: string;
  sheet: Sheet;
  index: ReadonlyMap<string, number>;
}

/** `""` is what stands where a sheet as a whole is wrong. No entry has that ref. */
export const wholeFile = '';
const blank = new Set([0x00, 0x09, 0x0a, 0x0d, 0x20]);

/** The file that lists tasks for people: what it says, whether somebody changed it, and writing it. */
export class Mirror {
  readonly path: string;
  readonly #layout: Layout;
  readonly #noteFile: string;
  readonly #baseFile: string;
  #note: MirrorNote;
  #cache: Cut | undefined;

  constructor(root: string, dir: string, layout: Layout) {
    this.#layout = layout;
    this.path = path.join(root, layout.mirror);
    this.#noteFile = path.join(dir, 'projection.json');
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

  /** "ours" is as we wrote it, "lost" must be written again, "edited" holds something we did not write. */
  state(): 'ours' | 'lost' | 'edited' {
    const now = fingerprint(this.path);
    if (now === this.#note.fingerprint) return 'ours';
    this.#note = readNote(this.#noteFile); // another process may have written the file
    if (now === this.#note.fingerprint) return 'ours';
    const bytes = readBytes(this.path);
    // An empty file is what a power loss leaves, or a truncating editor for a moment: never "all tasks deleted".
    if (bytes === undefined || bytes.every((byte) => blank.has(byte))) return 'lost';
    const hash = hashOf(bytes);
    if (hash === this.#note.hashes.at(-1)) return 'ours';
    return this.#note.hashes.includes(hash) ? 'lost' : 'edited';
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

  /** Writes what the tasks say now into their entries; wrong entries stay as somebody left them. */
  write(
    tasks: Iterable<Task>,
    seq: number,
    wrongs: Readonly<Record<string, Wrong>>,
    from: 'file' | 'base',
  ): void {
    const { text, sheet, index } = this.#cut(readBytes(from === 'file' ? this.path : this.#baseFile));
    if (sheet.wrong) return;
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
    this.#save(next, seq, wrongs, (changed || from === 'base') && next !== '');
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
  #save(next: string, seq: number, wrongs: Readonly<Record<string, Wrong>>, rewrite: boolean): void {
    const hash = hashOf(next);
    const note = withVersion(this.#note, hash);
    if (rewrite) {
      makeDir(path.dirname(this.path));
      writeNote(this.#noteFile, note);
      replaceFile(this.path, next);
    }
    if (hash !== note.hash) replaceFile(this.#baseFile, next);
    this.#note = { ...note, seq, hash, fingerprint: fingerprint(this.path), wrongs };
    writeNote(this.#noteFile, this.#note);
  }

  #cut(bytes: Buffer | undefined): Cut {
    const text = bytes?.toString('utf8') ?? '';
    if (this.#cache?.text !== text) {
      const sheet = bytes && !isUtf8(bytes) ? notText(text) : this.#layout.split(text);
      this.#cache = { text, sheet, index: new Map(sheet.entries.map((entry, at) => [entry.ref, at])) };
    }
    return this.#cache;
  }
}

function differences(from: Fields, to: Fields): Record<string, Json | undefined> | undefined {
  const changes: Record<string, Json | undefined> = {};
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
    if (!isDeepStrictEqual(from[key], to[key])) changes[key] = to[key];
  }
  return Object.keys(changes).length > 0 ? changes : undefined;
}

/** Bytes that we could not write back as they were: so we do not touch the file at all. */
function notText(text: string): Sheet {
  const line = text.slice(0, text.indexOf('\ufffd')).split('\n').length;
  const fix = 'save it as UTF-8 (iconv -f latin1 -t utf-8)';
  return {
    head: text,
    entries: [],
    tail: '',
    wrong: { message: 'the file is not valid UTF-8', fix, line, column: 1 },
  };
}
