import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { iso, type Clock } from '../../io/clock.ts';
import { createFile, linkFile, listDir, readBytes, removeFile, replaceFile } from '../../io/files.ts';
import { exists } from '../../io/links.ts';
import { openMutex } from '../../io/lock.ts';
import type { Layout } from '../../layout/layout.ts';
import type { Task } from '../../task/schema.ts';
import { applyNow } from '../claim.ts';
import { openFileStore } from '../file/file-store.ts';
import { HighWaterFile, highWaterOf, lossOf, readHighWater } from '../file/high-water.ts';
import type { Job } from '../file/job.ts';
import type { Journal } from '../file/journal.ts';
import { archivesFrom, createJournal } from '../file/load.ts';
import { withOutside } from '../file/outside-lock.ts';
import { journalAt, placeFor, readFacts, type Place } from '../file/place.ts';
import type { Transaction } from '../file/position.ts';
import { listedIn, takeInFile } from '../file/repair-file.ts';
import { RunLocks } from '../file/run-locks.ts';
import { salvage, type Dropped, type Salvage } from '../file/salvage.ts';
import { wholeNoteFile } from '../file/whole-note.ts';
import type { Commit } from '../store.ts';

/** What is wrong with a log, and what becomes of it when it is accepted as it is. */
export interface RepairPlan {
  path: string;
  /** Events that can be read. */
  events: number;
  /** Events that docket had acknowledged and that are not there any more. */
  missing: number;
  /** Lines that are set aside. */
  dropped: Dropped[];
  /** Tasks whose file says that they are done: they become done by hand, and are not run again. */
  byHand: string[];
  /** Tasks that people's files know and the log does not. */
  lost: string[];
  /** There is something to repair. */
  needed: boolean;
  applied: boolean;
  /** Where what was replaced is kept. */
  copies: string[];
}

interface RepairOptions {
  root: string;
  dir: string;
  layout: Layout;
  clock: Clock;
  apply: boolean;
  warn: (warning: string) => void;
}

const lockWaitMs = 10_000;

/** Accepts a log that lost something as it is. Without `apply` nothing is changed. */
export async function repairStore(options: RepairOptions): Promise<RepairPlan | undefined> {
  const { root, layout, apply, clock } = options;
  const place = placeFor(options);
  const facts = readFacts(place);
  if (!facts) return undefined;
  if (!apply) return plan(place, facts.id, options).plan;
  const outside = layout.log?.shared && path.join(root, layout.log.shared.lock);
  const locks = withOutside(openMutex(place.lockFile, facts.lock), outside);
  let made: Planned;
  try {
    await locks.lock(lockWaitMs);
    assertNobodyRuns(place, new RunLocks(place.runLocks, facts.lock));
    made = plan(place, facts.id, options);
    if (made.plan.needed) made.plan.copies = replace(place, facts.id, made, clock);
    locks.unlock();
  } finally {
    locks.close();
  }
  if (!made.plan.needed) return made.plan;
  const store = await openFileStore(options); // people's files follow
  await store.close();
  return { ...made.plan, applied: true };
}

interface Planned {
  plan: RepairPlan;
  saved: Salvage;
  takeIn: Job<void>;
  /** People's file as it was. */
  file: { path: string; bytes: Buffer } | undefined;
}

function plan(place: Place, store: string, { root, layout, clock }: RepairOptions): Planned {
  const mark = readHighWater(place.dir, place.journal);
  const saved = salvage(place, store);
  const { seq } = saved.ledger;
  const name = path.join(root, layout.mirror ?? layout.whole.path);
  const bytes = readBytes(name);
  const listed = listedIn(layout, bytes?.toString('utf8'), place);
  const takeIn: Job<void> = (ledger, commit, now) => {
    for (const commands of takeInFile(layout, listed, ledger, now)) applyNow(ledger, commands, now, commit);
  };
  const before = new Map(saved.ledger.list({ removed: true }).map((task) => [task.id, task.status]));
  const needed = saved.changed || hasLoss(place, mark);
  const dropped = saved.dropped;
  const missing = Math.max(0, (mark?.seq ?? 0) - seq);
  const shown: RepairPlan = {
    path: place.journal,
    events: seq,
    missing,
    dropped,
    byHand: [],
    lost: [],
    needed,
    applied: false,
    copies: [],
  };
  if (needed) {
    const { ledger } = salvage(place, store); // one to try it on
    const now = iso(clock);
    takeIn(ledger, (tx) => ledger.commit(tx, now), now);
    const after = ledger.list({ removed: true });
    shown.byHand = after.filter((task) => isDone(task) && before.get(task.id) !== 'done').map(({ id }) => id);
    shown.lost = after.filter(({ id }) => !before.has(id)).map(({ id }) => id);
  }
  return { plan: shown, saved, takeIn, file: bytes && { path: name, bytes } };
}

function isDone({ status }: Task): boolean {
  return status === 'done';
}

function hasLoss(place: Place, mark: ReturnType<typeof readHighWater>): boolean {
  if (!mark) return false;
  const journal = journalAt(place, 'read');
  try {
    return !journal.open() || lossOf(mark, journal) !== undefined;
  } catch {
    return true; // it cannot even be opened
  } finally {
    journal.close();
  }
}

/**
 * Under the lock. The copies come first, the mark last: until then the log is refused, and this can be done again. What
 * people's files say is in the log before that, because docket writes those files again as soon as it may.
 */
function replace(place: Place, store: string, { saved, file, takeIn }: Planned, clock: Clock): string[] {
  const copies: string[] = [];
  const copyFor = (name: string): string => {
    const copy = path.join(place.dir, `replaced-${clock.now()}-${path.basename(name)}`);
    copies.push(copy);
    return copy;
  };
  const keep = (name: string, bytes: Buffer | undefined): void => {
    if (bytes !== undefined) createFile(copyFor(name), bytes, { sync: true });
  };
  if (saved.changed) keep(place.journal, readBytes(place.journal));
  if (file) keep(file.path, file.bytes);
  removeFile(place.snapshot);
  if (saved.changed) replaceFile(place.journal, saved.text, { sync: true });
  const journal = journalAt(place, 'write');
  const mark = new HighWaterFile(place.dir);
  if (!exists(place.journal)) createJournal(journal, store);
  try {
    journal.readNew(() => undefined);
    for (const name of archivesFrom(place, journal.base)) moveFile(name, copyFor(name));
    append(journal, saved, takeIn, iso(clock));
    if (place.log?.shared) removeFile(wholeNoteFile(place.dir));
    mark.replace(highWaterOf(journal));
  } finally {
    mark.close();
    journal.close();
  }
  return copies;
}

function append(journal: Journal, { ledger }: Salvage, takeIn: Job<void>, now: string): void {
  const lines: Transaction[] = [];
  const encode = journal.encoder();
  const commit: Commit = (tx) => {
    const texts: string[] = [];
    const outcome = ledger.commit(tx, now, (event, before) => texts.push(encode(event, before)));
    if (texts.length > 0) lines.push({ text: texts.join(''), seq: ledger.seq });
    return outcome;
  };
  takeIn(ledger, commit, now);
  const { error } = journal.append(lines);
  if (error !== undefined) throw error as Error;
  journal.flushSync();
}

function moveFile(from: string, to: string): void {
  linkFile(from, to);
  removeFile(from);
}

function assertNobodyRuns(place: Place, locks: RunLocks): void {
  for (const name of listDir(place.runLocks)) {
    const id = name.endsWith('.lock') ? name.slice(0, -'.lock'.length) : undefined;
    if (id === undefined) continue;
    if (locks.take(id)) locks.release(id);
    else
      throw new DocketError(
        'REFUSED',
        `a docket process is running task ${id}`,
        fix`wait for it, or stop it (${command`ps`} shows it), then repair again`,
        { id },
      );
  }
}
