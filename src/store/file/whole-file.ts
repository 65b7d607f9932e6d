import { createHash } from 'node:crypto';
import path from 'node:path';
import { messageOf } from '../../errors.ts';
import { createFile, fingerprint, makeDir, readBytes, replaceFile } from '../../io/files.ts';
import type { LogLayout, Whole } from '../../layout/layout.ts';
import type { Task } from '../../task/schema.ts';
import { isAfter } from '../../task/time.ts';
import { DerivedFiles } from '../derived-files.ts';
import type { Ledger } from '../ledger.ts';
import type { Commit, Finding } from '../store.ts';
import { type FilesInStep, type FilesOptions, Pace } from './files-in-step.ts';
import type { Placed } from './position.ts';
import {
  type Built,
  type Frame,
  type WholeNote,
  built,
  noNote,
  patched,
  readWholeNote,
  wholeNoteFile,
  writeWholeNote,
} from './whole-note.ts';

/**
 * The file that lists all tasks of a log. It is written and never read for what it says: one that is missing, torn or
 * edited is made anew from the log by the next one who writes.
 */
export class WholeFile implements FilesInStep {
  readonly findings: Finding[] = [];
  readonly retryIn = undefined;
  readonly givenUp = undefined;
  readonly #path: string;
  readonly #noteFile: string;
  readonly #dir: string;
  readonly #whole: Whole;
  readonly #frame: Frame;
  readonly #derived: DerivedFiles;
  readonly #warn: (warning: string) => void;
  readonly #pace: Pace;
  #note: WholeNote = noNote;
  /** The fold with which the note was compared, and whether the log held what the note says. */
  #ledger: Ledger | undefined;
  #holds = false;
  #isOurs = false;
  #isThere = false;
  #now = noNote.at;

  constructor(options: FilesOptions & { layout: LogLayout }) {
    const { root, place, layout, warn } = options;
    this.#whole = layout.whole;
    this.#path = path.join(root, layout.whole.path);
    this.#dir = place.dir;
    this.#noteFile = wholeNoteFile(place.dir);
    this.#frame = { head: Buffer.from(layout.whole.head), between: Buffer.from(layout.whole.between) };
    this.#derived = new DerivedFiles(root, layout, warn);
    this.#pace = new Pace(options.projectionLagMs);
    this.#warn = warn;
  }

  /** Nobody's edits count here; it only looks whether the file is as we left it, and the log as it was then or longer. */
  adoptEdits(ledger: Ledger, _commit: Commit, time: string, journal: Placed): void {
    this.#now = time;
    const now = fingerprint(this.#path);
    const moved = now === undefined || now !== this.#note.fingerprint;
    if (moved) {
      const { seq } = this.#note.position;
      this.#note = readWholeNote(this.#noteFile);
      if (seq > 0 && this.#note.position.seq !== seq) this.#pace.noticed();
    }
    if (moved || ledger !== this.#ledger) this.#holds = journal.holds(this.#note.position);
    this.#ledger = ledger;
    this.#isThere = now !== undefined;
    this.#isOurs = this.#isThere && now === this.#note.fingerprint && this.#holds;
  }

  unsettledMs(): number {
    return 0;
  }

  hurry(): void {
    this.#pace.hurry();
  }

  dueIn(ledger: Ledger): number | undefined {
    const right = this.#isOurs ? this.#note.position.seq >= ledger.seq : ledger.seq === 0 && this.#isThere;
    return right ? undefined : this.#pace.dueIn;
  }

  write(ledger: Ledger, journal: Placed): void {
    const started = performance.now();
    try {
      this.#write(ledger, journal);
    } catch (error) {
      // The commit stands: the log has it, and the next write will try the file again.
      this.#warn(`${messageOf(error)} (nothing is lost: the log has it)`);
    }
    this.#pace.wrote(started);
  }

  #write(ledger: Ledger, journal: Placed): void {
    const touched = this.#isOurs ? ledger.touchedSince(this.#note.position.seq) : undefined;
    const tasks = this.#ordered(touched ?? ledger.list({ removed: true }));
    for (const task of tasks) this.#derived.write(task); // before the other: while that one is behind, all is done again
    const next = (touched && this.#patch(tasks)) ?? this.#all(ledger);
    const { at, last, pieces } = next;
    const none = pieces.ids.length === 0;
    // A log without a task has no latest fact: its file is as old as this write.
    const content = none
      ? this.#whole.empty(at === noNote.at ? this.#now : at)
      : [...next.chunks, Buffer.from(this.#whole.tail(at))];
    if (!this.#isOurs) this.#keepUnknown(ledger);
    makeDir(path.dirname(this.#path));
    replaceFile(this.#path, content, { own: true, mode: 0o600 }); // as the log, whose texts are in it
    const now = fingerprint(this.#path);
    const { position } = journal;
    this.#note = { v: 1, position, ...(now !== undefined && { fingerprint: now }), at, last, pieces };
    writeWholeNote(this.#noteFile, this.#note);
    this.#isOurs = true;
    this.#holds = true;
    ledger.forgetTouched();
  }

  /** Undefined: a task has gone from the list, or comes between others. That is rare, and the file is made anew. */
  #patch(tasks: readonly Task[]): Next | undefined {
    const { pieces, last } = this.#note;
    const known = tasks.length < 16 ? { has: (id: string) => pieces.ids.includes(id) } : new Set(pieces.ids);
    const changed = new Map<string, Buffer>();
    for (const task of tasks) {
      const piece = this.#whole.piece(task);
      if (piece === undefined && !known.has(task.id)) continue;
      if (piece === undefined || (!known.has(task.id) && this.#whole.order(task) <= last)) return undefined;
      changed.set(task.id, Buffer.from(piece));
    }
    const old = readBytes(this.#path);
    const next = old && patched(old, pieces, changed, this.#frame);
    return next && { ...next, ...this.#latest(tasks, this.#note) };
  }

  #all(ledger: Ledger): Next {
    const tasks = this.#ordered(ledger.list({ removed: true }));
    const pieces = tasks.flatMap((task): (readonly [string, Buffer])[] => {
      const piece = this.#whole.piece(task);
      return piece === undefined ? [] : [[task.id, Buffer.from(piece)]];
    });
    return { ...built(pieces, this.#frame), ...this.#latest(tasks, noNote) };
  }

  #ordered(tasks: readonly Task[]): Task[] {
    return tasks.toSorted((a, b) => this.#whole.order(a) - this.#whole.order(b));
  }

  #latest(tasks: readonly Task[], { at, last }: { at: string; last: number }): { at: string; last: number } {
    const times = tasks.map(({ updatedAt }) => updatedAt);
    return {
      at: times.reduce((latest, time) => (isAfter(time, latest) ? time : latest), at),
      last: tasks.reduce((highest, task) => Math.max(highest, this.#whole.order(task)), last),
    };
  }

  /** Another tool's file that lists tasks of which the log knows nothing may be all that is left of them. */
  #keepUnknown(ledger: Ledger): void {
    const bytes = readBytes(this.#path);
    const unknown = bytes && idsIn(bytes).filter((id) => ledger.get(id) === undefined);
    if (!unknown || unknown.length === 0) return;
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
    const aside = path.join(this.#dir, `unknown-${hash}.json`);
    if (!createFile(aside, bytes)) return;
    const what = `${this.#path} lists ${unknown.length} tasks of which the log says nothing`;
    this.#warn(
      `${what} (${unknown.slice(0, 3).join(', ')} …); it was made anew, and what was there is kept in ${aside}`,
    );
  }
}

type Next = Built & { at: string; last: number };

function idsIn(bytes: Buffer): string[] {
  try {
    const value = JSON.parse(bytes.toString('utf8')) as { tasks?: unknown } | null;
    return typeof value?.tasks === 'object' && value.tasks !== null ? Object.keys(value.tasks) : [];
  } catch {
    return []; // torn: nothing can be said of it
  }
}
