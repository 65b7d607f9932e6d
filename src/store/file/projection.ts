import { DocketError, messageOf } from '../../errors.ts';
import type { MirrorLayout } from '../../layout/layout.ts';
import type { Wrong } from '../../schema/problem.ts';
import { isRunByDocket } from '../../task/allowed.ts';
import type { Order } from '../../task/pick.ts';
import type { Task } from '../../task/schema.ts';
import { applyNow, freeDead } from '../claim.ts';
import { DerivedFiles } from '../derived-files.ts';
import { findingsOf, keepAside, refusedEndText, removedText, staleText } from '../edit-notices.ts';
import { isGone } from '../gone.ts';
import type { Ledger } from '../ledger.ts';
import type { AnsweredRemoval, Commit, Finding } from '../store.ts';
import { byMaking, isListed } from '../view.ts';
import { makeCompanions } from './blobs.ts';
import { wholeFile } from './cut-sheet.ts';
import { FileWait, type FilesInStep, type FilesOptions, Pace, longestPauseForOne } from './files-in-step.ts';
import { type HeldRemoval, HeldRemovals, missingIn } from './held-removals.ts';
import { Mirror, type MirrorState } from './mirror.ts';
import { reconcile } from './reconcile.ts';

type ProjectionOptions = FilesOptions & { layout: MirrorLayout };

/**
 * Keeps people's files and the journal in step. The journal is the truth and is written first; the files follow
 * under the same lock, at once when things are quiet, some milliseconds later in a burst. What a crash leaves
 * undone the next writer does.
 */
export class Projection implements FilesInStep {
  readonly #layout: MirrorLayout;
  readonly #mirror: Mirror;
  readonly #options: ProjectionOptions;
  readonly #derived: DerivedFiles;
  #wrongs: Record<string, Wrong>;
  /** Tasks whose entry must be looked at, though the journal has nothing new about them. */
  readonly #revisit = new Set<string>();
  /** The mirror could not be written now. */
  readonly #wait: FileWait;
  #outdated = false;
  readonly #held: HeldRemovals;
  /** Tasks that were removed because somebody took their entries out: said when the file is written. */
  #removed: readonly string[] = [];
  #stale: readonly string[] = [];
  #remarks: readonly Finding[] = [];
  #refused: ReadonlySet<string> = new Set();
  /** Every entry was taken out: the file is written anew. */
  #emptied = false;
  #state: MirrorState = 'ours';
  /** The file shows more than the journal has: a power loss took the journal's end, or it came from a backup. */
  #ahead = false;
  #warned: string | undefined;
  readonly #pace: Pace;
  #shownSeq: number;
  /** Up to where the derived files have been seen to. */
  #derivedSeq = 0;

  constructor(options: ProjectionOptions) {
    this.#options = options;
    this.#wait = new FileWait(options.fileWaitMs ?? 0);
    const isForMany = options.layout.remembersVersions === true;
    this.#pace = new Pace(options.projectionLagMs, isForMany ? undefined : longestPauseForOne);
    this.#layout = options.layout;
    this.#held = new HeldRemovals(options.layout);
    this.#mirror = new Mirror(options.root, options.place.dir, options.layout);
    this.#derived = new DerivedFiles(options.root, options.layout, options.warn);
    this.#wrongs = { ...this.#mirror.wrongs };
    this.#shownSeq = this.#mirror.seq;
  }

  get findings(): Finding[] {
    const { path } = this.#mirror;
    const wrongs = Object.values(this.#wrongs).flatMap((wrong) => findingsOf(wrong, path));
    return [...wrongs, ...this.#remarks, ...this.#held.findings(path)];
  }

  get waitingForAnswer(): ReadonlySet<string> {
    return this.#held.waiting;
  }

  answerRemovals(
    confirm: boolean,
    by: string,
    under: { ledger: Ledger; commit: Commit; now: string },
  ): AnsweredRemoval[] {
    const answered = this.#held.answer(confirm, by, under);
    if (!confirm) this.#mirror.forgetHeld();
    return answered;
  }

  /** What people did to the mirror becomes events, by "file". */
  adoptEdits(ledger: Ledger, commit: Commit, now: string): void {
    this.#ahead ||= this.#mirror.seq > ledger.seq;
    try {
      this.#state = this.#mirror.state(this.#options);
      this.#noticeWrite();
    } catch (error) {
      this.#cannotRead(error);
      return;
    }
    if (this.#state === 'unsettled') return;
    const isAhead = this.#ahead && this.#state !== 'cut';
    const waits = this.#state === 'ours' && Object.values(this.#mirror.wrongs).some(({ passes }) => passes);
    if (this.#state !== 'edited' && !isAhead && !waits) {
      this.#wrongs = this.#isLost() ? {} : { ...this.#mirror.wrongs };
      if (this.#isLost()) this.#revisitWrong(ledger);
      this.#held.set([...this.#mirror.held, ...this.#missingInEarlier(ledger, now)], ledger);
      return;
    }
    this.hurry(); // until the files are written, every commit would look at the same edits again
    freeDead(ledger, (task) => isRunByDocket(task) && isGone(task), now, commit);
    const refs = this.#refs(ledger);
    const find = (ref: string): Task | undefined => ledger.get(refs.get(ref) ?? '');
    const base = this.#mirror.base();
    const file = this.#state === 'lost' ? base : this.#mirror.sheet();
    const origin = isAhead || waits ? undefined : this.#mirror.origin(file);
    const found = reconcile(
      this.#layout,
      // What the journal has lost is taken in again, as an entry that somebody else wrote would be.
      isAhead ? { ...base, entries: base.entries.filter(({ ref }) => find(ref)) } : base,
      file,
      {
        find,
        get: (id) => ledger.get(id),
        isLive: isRunByDocket, // those whose process is gone were freed before
        overtaken: this.#mirror.overtaken(),
        origin,
      },
    );
    this.#wrongs = found.wrongs;
    this.#outdated = found.outdated;
    this.#removed = found.removed;
    this.#stale = found.stale;
    this.#remarks = found.remarks.flatMap((wrong) => findingsOf(wrong, this.#mirror.path));
    this.#refused = new Set(found.refusedEnds.map((task) => this.#layout.ref(task)));
    this.#emptied = found.held.length > 0 && file.entries.length === 0;
    this.#held.set([...this.#mirror.held, ...found.held.map((one) => ({ ...one, at: now }))], ledger);
    for (const task of found.refusedEnds)
      this.#options.warn(refusedEndText(task, this.#layout.ref(task), this.#mirror.path));
    for (const { ref, line, commands } of found.edits) {
      const refused = applyNow(ledger, commands, now, commit);
      if (refused === undefined) continue;
      const fix = 'undo the edit, or use the command that does what you want';
      this.#wrongs[ref] = { message: refused, fix, line, column: 1 };
    }
    for (const ref of [...found.revisit, ...Object.keys(this.#mirror.wrongs)])
      this.#revisit.add(refs.get(ref) ?? '');
  }

  /** Somebody put an earlier version of ours back: perhaps to take out what was added since. */
  #missingInEarlier(ledger: Ledger, at: string): HeldRemoval[] {
    if (this.#state !== 'lost' || !this.#layout.remembersVersions) return [];
    const refs = this.#refs(ledger);
    const find = (ref: string): Task | undefined => ledger.get(refs.get(ref) ?? '');
    return missingIn(this.#mirror.sheet(), this.#mirror.base(), find, at);
  }

  /** Also of tasks that were removed or archived, in case their entry comes back, unless another has the name by now. */
  #refs(ledger: Ledger): Map<string, string> {
    const tasks = ledger.list({ removed: true });
    const [live, gone] = [tasks.filter(isListed), tasks.filter((task) => !isListed(task))];
    return new Map([...gone, ...live].map((task) => [this.#layout.ref(task), task.id]));
  }

  /** What was wrong is not in base, from which the file is written anew: those entries are as old as their last good version. */
  #revisitWrong(ledger: Ledger): void {
    const refs = new Set(Object.keys(this.#mirror.wrongs));
    if (refs.size === 0) return;
    for (const task of ledger.list()) if (refs.has(this.#layout.ref(task))) this.#revisit.add(task.id);
  }

  /** The file is there and cannot be read: the commits go on, and it is left alone. */
  #cannotRead(error: unknown): void {
    if (!(error instanceof DocketError) || error.data['path'] !== this.#mirror.path) throw error;
    this.#wrongs = { [wholeFile]: { message: error.message, fix: error.fix, line: 1, column: 1 } };
    if (this.#warned !== error.message) this.#options.warn(error.message);
    this.#warned = error.message;
  }

  /** Milliseconds until the file is worth a look; 0 = now. Under the lock: our own writes are never halfway then. */
  unsettledMs(): number {
    try {
      const ms = this.#mirror.unsettledMs(this.#options);
      return ms > 0 && this.#mirror.state(this.#options) === 'unsettled' ? ms : 0;
    } catch {
      return 0; // said where the file is read
    }
  }

  /** Milliseconds until the files should be written; 0 = now, undefined = they are right. */
  dueIn(ledger: Ledger): number | undefined {
    if (this.#isHeld()) return this.#layout.derived && ledger.seq > this.#derivedSeq ? 0 : undefined;
    if (this.#state === 'unsettled') return this.#options.settleMs;
    const right = this.#state === 'ours' || this.#state === 'edited';
    if (right && !this.#ahead && this.#revisit.size === 0 && ledger.seq <= this.#mirror.seq) return undefined;
    const waits = this.#wait.dueIn;
    if (waits !== undefined) return waits;
    return this.#pace.dueIn;
  }

  #noticeWrite(): void {
    if (this.#mirror.seq === this.#shownSeq) return;
    this.#shownSeq = this.#mirror.seq;
    this.#pace.noticed();
  }

  hurry(): void {
    this.#pace.hurry();
  }

  /** Milliseconds until a write that came to nothing is tried again; undefined: there is none. */
  get retryIn(): number | undefined {
    return this.#wait.dueIn;
  }

  /** Why the mirror stays behind when nobody waits any longer; undefined: somebody still should. */
  get givenUp(): string | undefined {
    if (!this.#wait.isOver) return undefined;
    return `${this.#mirror.path} is behind: ${this.#mirror.lockFile ?? 'somebody'} keeps it (nothing is lost: the next docket writes it)`;
  }

  write(ledger: Ledger): void {
    const started = performance.now();
    try {
      const tasks = this.#changed(ledger);
      for (const task of tasks) {
        makeCompanions(task, this.#options);
        this.#derived.write(task); // before the mirror: while that one is behind, all of it is done again
      }
      this.#derivedSeq = ledger.seq;
      if (!this.#isHeld()) this.#writeMirror(tasks, ledger);
    } catch (error) {
      // The commit stands: the journal has it, and the next write will try the files again.
      this.#options.warn(`${messageOf(error)} (nothing is lost: the journal has it)`);
    }
    this.#shownSeq = this.#mirror.seq;
    this.#pace.wrote(started);
  }

  #writeMirror(tasks: readonly Task[], ledger: Ledger): void {
    const isCut = this.#state === 'cut';
    if (isCut || this.#emptied) keepAside(this.#mirror.path, isCut, this.#options);
    const before = new Set(this.#mirror.held.map(({ id }) => id));
    this.#held.set(this.#held.list, ledger);
    const from = this.#isLost() || this.#emptied ? 'base' : 'file';
    const about = { wrongs: this.#wrongs, held: this.#held.list, refused: this.#refused };
    const written = this.#mirror.write(tasks, ledger.seq, about, from);
    if (written === 'locked') this.#wait.begin();
    else this.#wait.end();
    if (written !== 'written') return;
    if (this.#outdated) this.#mirror.forgetOvertaken();
    this.#outdated = false;
    this.#emptied = false;
    this.#sayRemovals(before);
    this.#wrongs = { ...this.#mirror.wrongs };
    this.#state = 'ours';
    this.#ahead = false;
    this.#revisit.clear();
    ledger.forgetTouched();
  }

  /** In the order in which they were made, so that new entries follow each other as the work came. */
  #changed(ledger: Ledger): Task[] {
    const since = this.#mirror.seq;
    const touched = ledger.touchedSince(since);
    const all = touched === undefined || this.#ahead || (this.#isLost() && !this.#mirror.baseIsCurrent());
    const tasks = all ? ledger.list({ removed: true }) : touched;
    const again = all ? [] : [...this.#revisit].flatMap((id) => ledger.get(id) ?? []);
    return [...tasks, ...again].toSorted(byMaking);
  }

  /** Those that the mirror does not list yet come last, as they will be written. Half-saved files have no say. */
  readonly order = (tasks: Iterable<Task>): Order => {
    const isWhole = !this.#isHeld() && (this.#state === 'ours' || this.#state === 'edited');
    const places = this.#mirror.places(isWhole ? 'file' : 'base');
    const listed = [...tasks].toSorted(byMaking);
    return new Map(
      listed.map((task, at) => [task.id, places.get(this.#layout.ref(task)) ?? places.size + at]),
    );
  };

  /** Nobody can read the mirror, so nobody writes it; the files beside it go on. */
  #isHeld(): boolean {
    return Object.hasOwn(this.#wrongs, wholeFile);
  }

  #isLost(): boolean {
    return this.#state === 'lost' || this.#state === 'cut';
  }

  #sayRemovals(before: ReadonlySet<string>): void {
    const { path: file } = this.#mirror;
    for (const { message, fix } of this.#held.findings(file, before))
      this.#options.warn(`${file}: ${message} (${fix})`);
    for (const text of [...removedText(this.#removed), ...staleText(this.#stale)])
      this.#options.warn(`${file} ${text}`);
    [this.#removed, this.#stale, this.#refused] = [[], [], new Set()];
  }
}
