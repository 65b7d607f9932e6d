import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { iso, systemClock } from '../../io/clock.ts';
import { checkFileSystem } from '../../io/disk.ts';
import { createFile, fingerprint, makeDir, sizeAndInode, syncDir } from '../../io/files.ts';
import { ownIdentity } from '../../io/identity.ts';
import { bestLockKind, type LockKind } from '../../io/lock.ts';
import { ignoreOwn } from '../../io/own-folder.ts';
import { FileChanges } from '../../io/watch.ts';
import { Heartbeat, freeDead, heldState, startNext, workersIn } from '../claim.ts';
import { fitsLine, maxLineBytes } from '../codec.ts';
import type { Ledger } from '../ledger.ts';
import { newId } from '../new-id.ts';
import type { ClaimRequest, FileStore, FileStoreOptions, Tx } from '../store.ts';
import { fileBlobs } from './blobs.ts';
import { filesFor } from './files-in-step.ts';
import { type Place, type StoreFacts, fileState, placeFor, readFacts, strayFindings } from './place.ts';
import { RunGuard, RunLocks } from './run-locks.ts';
import { lastEvent, readHistory, tailJournal } from './tail.ts';
import { Writer } from './writer.ts';

const longestKey = 512;
/** How long the end of a process waits for another tool that has the mirror locked: as long as that tool would. */
const longestFileWaitMs = 5000;

/** A store in plain files, open for writing. Makes the folder if there is none. */
export async function openFileStore(options: FileStoreOptions): Promise<FileStore> {
  const clock = options.clock ?? systemClock;
  const place = placeFor(options);
  const warn = options.warn ?? (() => undefined);
  const { name: layout } = options.layout;
  const facts = makePlace(place, { layout, id: newId(clock), lockKind: options.lockKind }, warn);
  const guard = new RunGuard();
  const { root, lockWaitMs = 10_000, projectionLagMs = 25, settleMs = 100 } = options;
  const { mirror, log } = options.layout;
  const filesIn = await filesFor(options.layout);
  const fileWaitMs = Math.min(lockWaitMs, longestFileWaitMs);
  const locks = new RunLocks(place.runLocks, facts.lock);
  const writer = await Writer.open(
    {
      place,
      facts,
      outsideLock: log?.shared && path.join(root, log.shared.lock),
      subscribe: () => filesIn({ root, place, clock, projectionLagMs, settleMs, fileWaitMs, warn }),
      clock,
      durability: options.durability ?? 'durable',
      lockWaitMs,
      guard,
      warn,
    },
    // The first round takes in edits made while nobody was looking, and frees what dead workers held.
    (ledger, commit, now) => freeDead(ledger, (task) => locks.isDead(task), now, commit),
  );
  const news = new FileChanges([place.journal, ...(mirror === undefined ? [] : [path.join(root, mirror)])]);

  const state = fileState(options);
  const heartbeat = new Heartbeat(
    (claims) => writer.run((ledger) => claims.map((claim) => heldState(ledger, claim))),
    options.lease,
  );

  /** A forged end of a run that we hold is answered before anybody sees it. */
  const current = async (): Promise<Ledger> => {
    const ledger = writer.refresh();
    if (!guard.hasForged) return ledger;
    await writer.run(() => undefined);
    return writer.refresh();
  };

  return {
    async transact(tx) {
      assertFits(tx, place);
      return writer.run((_, commit) => commit(tx));
    },
    get: async (id) => (await current()).get(id),
    list: async (query) => (await current()).list(query),
    async claim(request: ClaimRequest) {
      news.look(); // before, because what comes meanwhile may be seen or not
      const lease = { kind: 'process' as const, ...ownIdentity() };
      const started = await writer.run((ledger, commit, now) => {
        freeDead(ledger, (task) => locks.isDead(task), now, commit);
        const { order, waitingForAnswer: waits } = writer.subscriber;
        const except = new Set([...(request.except ?? []), ...(waits ?? [])]);
        const tasks = startNext(ledger, { ...request, except }, lease, now, locks, commit, order);
        for (const { id, token } of tasks) guard.hold(id, token);
        return tasks;
      });
      return started.map((task) =>
        heartbeat.hold(task, () =>
          writer.run(() => {
            locks.release(task.id);
            guard.drop(task.id);
          }),
        ),
      );
    },
    // People's edits count as well: somebody may have taken the task back in the file.
    beat: (claim) => writer.run((ledger) => heldState(ledger, claim)),
    workers: () => writer.run((ledger) => workersIn(ledger, (task) => locks.isDead(task))),
    async read(_query, use) {
      const tasks = await current();
      const { findings, order } = writer.subscriber;
      return use(tasks, { findings, freed: new Set(), fromFile: false, ...(order && { order }) });
    },
    history: async (id) => readHistory(place, id),
    tail: (request) => tailJournal(place, request),
    last: async () => lastEvent(place),
    blobs: fileBlobs(place.log ? options.root : place.dir, place.blobs),
    async doctor() {
      await writer.run(() => undefined);
      return [...writer.subscriber.findings, ...strayFindings(place, writer.strays)];
    },
    exclusive: (_keys, job) => writer.run((ledger, commit, now) => job(ledger, commit, now, state)),
    state: async (name) => state.get(name),
    version: async () => fingerprint(place.journal),
    changes: (signal) => news.changes(signal),
    now: async () => iso(clock),
    compact: () => writer.compact(),
    findings: () => writer.subscriber.findings,
    answerRemovals: (confirm, by) =>
      writer.run(
        (ledger, commit, now) =>
          writer.subscriber.answerRemovals?.(confirm, by, { ledger, commit, now }) ?? [],
      ),
    async close() {
      heartbeat.close();
      // Behind everything that was sent before. What was committed stands, also if others keep us waiting now.
      await new Promise(setImmediate);
      if (locks.isHeld || writer.isBusy)
        await writer.run(() => locks.releaseAll()).catch(() => locks.dropAll());
      await writer.close();
    },
  };
}

function assertFits(tx: Tx, { log }: Place): void {
  if (tx.key !== undefined && tx.key.length > longestKey) {
    throw new DocketError('INVALID', `a key of ${tx.key.length} characters`, `use ${longestKey} at the most`);
  }
  const long = tx.events.find((event) => !fitsLine(event, log?.shared !== undefined));
  if (!long) return;
  throw new DocketError(
    'TOO_LARGE',
    `the event ${long.type} of task ${long.taskId} is longer than a journal line may be (${maxLineBytes} bytes)`,
    fix`shorten it: put the long part into a file and name that file in the text (${command`add --attach FILE`} copies one)`,
    { taskId: long.taskId, type: long.type },
  );
}

/** Makes the folder if there is none. Two processes that come first at once agree: the second reads the first's. */
function makePlace(
  place: Place,
  made: { layout: string; id: string; lockKind?: LockKind | undefined },
  warn: (warning: string) => void,
): StoreFacts {
  const doubt = checkFileSystem(nearestExisting(place.dir));
  if (doubt !== undefined) warn(doubt);
  makeDir(place.dir);
  makeDir(place.runLocks);
  makeDir(path.dirname(place.journal));
  const top = ownTop(place.dir);
  if (top !== undefined) ignoreOwn(top);
  const { id, layout, lockKind } = made;
  const facts: StoreFacts = { v: 1, id, layout, lock: lockKind ?? bestLockKind() };
  if (createFile(path.join(place.dir, 'store.json'), `${JSON.stringify(facts, null, 2)}\n`, { sync: true })) {
    // A file is on disk when every folder above it is.
    syncDir(path.dirname(place.dir));
    syncDir(path.dirname(path.dirname(place.dir)));
  }
  return readFacts(place) ?? facts;
}

/** The folder that is ours as a whole. Below people's own folders there is none, and it is theirs what git sees. */
function ownTop(dir: string): string | undefined {
  for (let at = path.dirname(dir); path.dirname(at) !== at; at = path.dirname(at))
    if (path.basename(at) === '.docket') return at;
  return undefined;
}

function nearestExisting(dir: string): string {
  for (let at = dir; ; at = path.dirname(at)) {
    if (sizeAndInode(at) !== undefined || path.dirname(at) === at) return at;
  }
}
