import path from 'node:path';
import { createFile, makeDir } from '../io/files.ts';
import type { Layout, Wrong } from '../layout/layout.ts';
import type { Task } from '../task/schema.ts';
import type { Finding } from './backend.ts';
import { readBlob } from './blobs.ts';
import { applyNow, type Commit } from './claim.ts';
import type { Ledger } from './ledger.ts';
import { Mirror, wholeFile } from './mirror.ts';
import type { Place } from './place.ts';
import { reconcile } from './reconcile.ts';

interface ProjectionOptions {
  root: string;
  place: Place;
  layout: Layout;
  projectionLagMs: number;
  warn: (warning: string) => void;
}

/** In a burst of commits at most a tenth of the time goes into files: the longer the file, the fewer writes. */
const costToPause = 9;

/**
 * Keeps people's files and the journal in step. The journal is the truth and is written first; the files follow
 * under the same lock, at once when things are quiet, some milliseconds later in a burst. What a crash leaves
 * undone the next writer does.
 */
export class Projection {
  readonly #layout: Layout;
  readonly #mirror: Mirror;
  readonly #options: ProjectionOptions;
  #wrongs: Record<string, Wrong>;
  /** Tasks whose entry must be looked at, though the journal has nothing new about them. */
  readonly #revisit = new Set<string>();
  #lost = false;
  #lastWrite = Number.NEGATIVE_INFINITY;
  #lastCost = 0;

  constructor(options: ProjectionOptions) {
    this.#options = options;
    this.#layout = options.layout;
    this.#mirror = new Mirror(options.root, options.place.dir, options.layout);
    this.#wrongs = { ...this.#mirror.wrongs };
  }

  get findings(): Finding[] {
    return Object.values(this.#wrongs).map((wrong) => ({
      severity: 'error',
      path: this.#mirror.path,
      ...wrong,
    }));
  }

  /** What people did to the mirror becomes events, by "file". */
  adoptEdits(ledger: Ledger, commit: Commit, now: string): void {
    const state = this.#mirror.state();
    this.#lost = state === 'lost';
    if (state !== 'edited') return;
    const refs = new Map(ledger.list().map((task) => [this.#layout.ref(task), task.id]));
    const find = (ref: string): Task | undefined => ledger.get(refs.get(ref) ?? '');
    const found = reconcile(
      this.#layout,
      this.#mirror.base(),
      this.#mirror.sheet(),
      find,
      this.#mirror.wrongs,
    );
    this.#wrongs = found.wrongs;
    for (const { ref, line, commands } of found.edits) {
      const refused = applyNow(ledger, commands, now, commit);
      if (refused === undefined) continue;
      const fix = 'undo the edit, or use the command that does what you want';
      this.#wrongs[ref] = { message: refused, fix, line, column: 1 };
    }
    for (const ref of found.revisit) this.#revisit.add(refs.get(ref) ?? '');
  }

  /** Milliseconds until the files should be written; 0 = now, undefined = they are right. */
  dueIn(ledger: Ledger): number | undefined {
    if (Object.hasOwn(this.#wrongs, wholeFile)) return undefined;
    if (!this.#lost && this.#revisit.size === 0 && ledger.seq <= this.#mirror.seq) return undefined;
    const lag = this.#options.projectionLagMs;
    const pause = lag === 0 ? 0 : Math.max(lag, this.#lastCost * costToPause);
    return Math.max(0, this.#lastWrite + pause - performance.now());
  }

  hurry(): void {
    this.#lastWrite = Number.NEGATIVE_INFINITY;
  }

  write(ledger: Ledger): void {
    const started = performance.now();
    try {
      const tasks = this.#changed(ledger);
      for (const task of tasks) this.#makeCompanions(task);
      this.#mirror.write(tasks, ledger.seq, this.#wrongs, this.#lost ? 'base' : 'file');
      this.#lost = false;
      this.#revisit.clear();
      ledger.forgetTouched();
    } catch (error) {
      // The commit stands: the journal has it, and the next write will try the files again.
      const text = error instanceof Error ? error.message : String(error);
      this.#options.warn(`${text} (nothing is lost: the journal has it)`);
    }
    this.#lastWrite = performance.now();
    this.#lastCost = this.#lastWrite - started;
  }

  /** In the order in which they were made, so that new entries follow each other as the work came. */
  #changed(ledger: Ledger): Task[] {
    const since = this.#mirror.seq;
    const touched = ledger.touchedSince(since);
    const all = touched === undefined || (this.#lost && !this.#mirror.baseIsCurrent());
    const tasks = all ? ledger.list({ removed: true }) : touched;
    for (const id of all ? [] : this.#revisit)
      tasks.push(...(ledger.get(id) ? [ledger.get(id) as Task] : []));
    return tasks.toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt) || a.rev - b.rev);
  }

  #makeCompanions(task: Task): void {
    if (task.status !== 'queued') return;
    for (const { path: name, text } of this.#layout.companions(task)) {
      const file = path.join(this.#options.root, name);
      const content = typeof text === 'string' ? text : readBlob(this.#options.place.blobs, text.blob);
      if (content === undefined) continue;
      makeDir(path.dirname(file));
      createFile(file, content);
    }
  }
}
