import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { openMutex } from '../../src/io/lock.ts';
import { queueLayout } from '../../src/kinds/queue/format/layout.ts';
import { openFileStore } from '../../src/store/file/file-store.ts';
import { Journal } from '../../src/store/file/journal.ts';
import { loadLedger } from '../../src/store/file/load.ts';
import { placeOf, readFacts } from '../../src/store/file/place.ts';
import { readSnapshot } from '../../src/store/file/snapshot.ts';
import type { Event, Task } from '../../src/task/schema.ts';
import { holdsOf, readHistory, replay } from './storm-history.ts';
import { readReaderLog, readWorkerLog, type Ack, type WorkerLog } from './storm-log.ts';
import type { Storm, Weather } from './storm.ts';

/** Holds the store against what everybody was told. Returns the line with the figures. */
export async function verify(storm: Storm, weather: Weather): Promise<string> {
  const { root, dir, logs, options } = storm;
  expect(await storm.settled(), 'processes that are left over').toEqual([]);
  const before = readHistory(dir);

  const store = await openFileStore({ root, dir, layout: queueLayout });
  const fresh = await store.list({ removed: true });
  expect(await store.doctor(), 'what doctor finds').toEqual([]);
  await store.close();
  const events = readHistory(dir);
  verifyStates(storm, events, fresh);

  const workers = Array.from({ length: options.workers }, (_, worker) => readWorkerLog(logs, worker));
  verifyAnswers(workers, events, options.commands);
  verifyClaims(workers, events, weather);
  verifyFreed(before, weather);
  verifyRunLocks(dir, fresh);
  const reads = verifyReaders(logs, before, events);

  const { stopMs } = options;
  expect(weather.frozen.length, 'suspensions inside the lock').toBe(1);
  for (const { before, after } of weather.frozen) {
    expect(after, `size of the journal after ${stopMs} ms with its writer suspended`).toBe(before);
  }
  const timeouts = workers.reduce((sum, log) => sum + log.timeouts.length, 0);
  expect(timeouts, 'commands that gave up waiting while the lock was held').toBeGreaterThan(0);
  return figures(storm, weather, workers, events, { timeouts, ...reads });
}

/** The journal from zero = snapshot and tail = a fresh open = tasks.yaml = base. */
function verifyStates({ root, dir }: Storm, events: readonly Event[], fresh: readonly Task[]): void {
  expect(
    events.map(({ seq }) => seq),
    'numbers of the events',
  ).toEqual(events.map((_, index) => index + 1));
  const replayed = replay(events).tasks;
  expect(byId(fresh), 'a fresh open and the replay').toEqual(byId(replayed.values()));

  const place = placeOf(dir);
  expect(readSnapshot(place.snapshot), 'a snapshot').toBeDefined();
  const journal = new Journal(place.journal, 'read');
  const { ledger, snapshotSeq } = loadLedger(place, journal);
  journal.close();
  expect(snapshotSeq, 'events that the snapshot holds').toBeGreaterThan(0);
  expect(byId(ledger.list({ removed: true })), 'snapshot with tail and the replay').toEqual(
    byId(replayed.values()),
  );

  const text = fs.readFileSync(path.join(root, queueLayout.mirror), 'utf8');
  expect(fs.readFileSync(path.join(dir, 'base'), 'utf8'), 'base and tasks.yaml').toBe(text);
  const sheet = queueLayout.split(text);
  expect(sheet.wrong).toBeUndefined();
  const shown = sheet.entries.map((entry) => [entry.ref, queueLayout.parse(entry)] as const);
  const wanted = [...replayed.values()].map(
    (task) => [queueLayout.ref(task), { fields: queueLayout.describe(task) }] as const,
  );
  expect(shown.length, 'entries of tasks.yaml').toBe(wanted.length);
  expect(Object.fromEntries(shown), 'tasks.yaml and the replay').toEqual(Object.fromEntries(wanted));
}

/** What was acknowledged is there once; what was refused is not there; nothing else is there. */
function verifyAnswers(workers: readonly WorkerLog[], events: readonly Event[], commands: number): void {
  const committed = new Map<string, Event[]>();
  for (const event of events)
    if (event.key !== undefined) committed.set(event.key, [...(committed.get(event.key) ?? []), event]);
  const problems: string[] = [];
  for (const { worker, intents, acks, ended } of workers) {
    expect(ended, `worker ${worker} came to its end`).toBe(true);
    expect(
      acks.map(({ n }) => n),
      `answers of worker ${worker}`,
    ).toEqual(Array.from({ length: commands }, (_, n) => n));
    const intended = new Map(intents.map((intent) => [intent.key, intent]));
    for (const ack of acks) {
      const intent = intended.get(ack.key);
      const key = intent?.add === undefined ? ack.key : `add:${ack.key}`;
      const found = committed.get(key) ?? [];
      committed.delete(key);
      const told = JSON.stringify({
        ...intent,
        ...ack,
        found: found.map(({ seq, type }) => ({ seq, type })),
      });
      const kept = ack.outcome === 'ok' || ack.outcome === 'duplicate';
      if (found.length !== (kept ? 1 : 0))
        problems.push(`acknowledged and in the journal ${found.length} times: ${told}`);
      if (kept && (found[0]?.taskId !== ack.id || (ack.seq !== undefined && found[0]?.seq !== ack.seq)))
        problems.push(`not what was acknowledged: ${told}`);
      if (intent?.late && ack.code !== 'fenced') problems.push(`a claim that was over still worked: ${told}`);
    }
  }
  for (const [key, found] of committed) problems.push(`nobody was told of ${key}: ${JSON.stringify(found)}`);
  expect(problems).toEqual([]);
}

function verifyClaims(
  workers: readonly WorkerLog[],
  events: readonly Event[],
  { killedLives }: Weather,
): void {
  const { holds, double } = holdsOf(events);
  expect(double, 'tasks with two holders in the journal').toEqual([]);
  const problems: string[] = [];
  const told = new Map<number, { id: string; owner: string; at: number }>();
  for (const { worker, acks, beats, clashes } of workers) {
    for (const { claims = [], life, at = 0 } of acks) {
      for (const { id, token } of claims) {
        if (told.has(token)) problems.push(`the claim ${token} of ${id} was given twice`);
        told.set(token, { id, owner: `w${worker}.${life}`, at });
      }
    }
    for (const clash of clashes)
      problems.push(`worker ${worker} got a task that a living worker held: ${JSON.stringify(clash)}`);
    // Nobody but its holder ends a run here, except by canceling the task for good.
    for (const beat of beats)
      if (beat.answer === 'lost') problems.push(`worker ${worker} lost a task: ${JSON.stringify(beat)}`);
  }
  for (const { id, token, owner, end } of holds) {
    const claim = told.get(token);
    told.delete(token);
    if (claim && (claim.id !== id || claim.owner !== owner))
      problems.push(`${id} at ${token} is ${owner}'s, not ${claim.owner}'s`);
    if (!claim && !killedLives.has(owner))
      problems.push(`${owner} lives and was not told that it has ${id} (${token})`);
    if (!claim && end === undefined) problems.push(`${id} is still held by ${owner}, who is gone`);
  }
  for (const [token, claim] of told)
    problems.push(`no such claim in the journal: ${token} ${JSON.stringify(claim)}`);
  problems.push(...overlaps(workers));
  expect(problems).toEqual([]);
}

/** The next life of a killed worker frees what it held, when it opens the store: not the last open does, after the storm. */
function verifyFreed(before: readonly Event[], { killedLives }: Weather): void {
  const { tasks } = replay(before);
  const left = holdsOf(before).holds.filter(
    ({ id, owner, end }) => end === undefined && killedLives.has(owner) && tasks.get(id)?.status !== 'review',
  );
  expect(left, 'tasks that dead workers still hold').toEqual([]);
}

/** A worker that asks "is it still mine?" after somebody else was told "it is yours" must not hear yes. */
function overlaps(workers: readonly WorkerLog[]): string[] {
  const claims = workers.flatMap(({ acks }) =>
    acks.flatMap(({ claims = [], at = 0 }: Ack) => claims.map((one) => ({ ...one, at }))),
  );
  return workers.flatMap(({ worker, beats }) =>
    beats
      .filter(({ answer }) => answer === 'ok')
      .filter((beat) =>
        claims.some(({ id, token, at }) => id === beat.id && token > beat.token && at < beat.from),
      )
      .map((beat) => `worker ${worker} held what another had: ${JSON.stringify(beat)}`),
  );
}

/** Nobody runs any more, so nothing may be running, and every lock of a run can be had. */
function verifyRunLocks(dir: string, fresh: readonly Task[]): void {
  expect(
    fresh.filter(({ status }) => status === 'running').map(({ id }) => id),
    'tasks of dead workers',
  ).toEqual([]);
  const kind = readFacts(placeOf(dir))?.lock ?? 'kernel';
  const locks = placeOf(dir).runLocks;
  const held = fs.readdirSync(locks).filter((name) => {
    if (!name.endsWith('.lock')) return false;
    const mutex = openMutex(path.join(locks, name), kind);
    const free = mutex.tryLock() || mutex.tryLock(); // a link lock is buried by the first try
    mutex.close();
    return !free;
  });
  expect(held, 'run locks that nobody freed').toEqual([]);
}

function verifyReaders(
  logs: string,
  before: readonly Event[],
  events: readonly Event[],
): { reads: number; lists: number } {
  const { statuses } = replay(events);
  const started = new Set(events.filter(({ type }) => type === 'task.started').map(({ taskId }) => taskId));
  const total = { reads: 0, lists: 0 };
  for (const reader of [0, 1]) {
    const { wrong, saw, workedOut, end } = readReaderLog(logs, reader);
    expect(wrong, `errors and contradictions that reader ${reader} met`).toEqual([]);
    const untrue = saw.filter(({ id, rev, status }) => statuses.get(`${id}@${rev}`) !== status);
    expect(untrue, `what reader ${reader} saw and never was`).toEqual([]);
    // A worker's death is the only thing that a reader sees before the journal does. The command line says that of
    // every queued task, because there it cannot be told apart.
    const guessed = workedOut.filter(
      ({ by, id, status }) => status !== 'queued' || (by === 'readStore' && !started.has(id)),
    );
    expect(guessed, `what reader ${reader} worked out and cannot be`).toEqual([]);
    expect(end?.events, `events that reader ${reader} followed`).toBe(before.length);
    total.reads += end?.reads ?? 0;
    total.lists += end?.lists ?? 0;
  }
  expect(total.reads).toBeGreaterThan(0);
  expect(total.lists).toBeGreaterThan(0);
  return total;
}

function figures(
  { root, dir, options }: Storm,
  weather: Weather,
  workers: readonly WorkerLog[],
  events: readonly Event[],
  more: { timeouts: number; reads: number; lists: number },
): string {
  const acks = workers.flatMap((log) => log.acks);
  const count = (outcome: Ack['outcome']): number => acks.filter((ack) => ack.outcome === outcome).length;
  const kB = (file: string): string => `${Math.round(fs.statSync(file).size / 1000)} kB`;
  const requeued = events.filter(({ type, by }) => type === 'task.requeued' && by === 'docket').length;
  const journals = [
    ...fs.readdirSync(path.join(dir, 'archive')).map((name) => path.join(dir, 'archive', name)),
    path.join(dir, 'journal.jsonl'),
  ];
  return [
    `storm seed ${weather.seed} (${options.lockKind} lock): ${options.workers} processes, ${acks.length} commands`,
    `${count('ok')} ok, ${count('duplicate')} retried that were in the journal already, ${count('refused')} refused, ${count('claimed')} claims`,
    `${weather.killedLives.size} killed (${weather.kills} from outside), ${weather.frozen.length} suspended for ${options.stopMs / 1000} s`,
    `${more.timeouts} lock timeouts retried, ${requeued} requeued after death`,
    `${acks.reduce((sum, ack) => sum + (ack.conflicts ?? 0), 0)} conflicts, ${more.reads} reads, ${more.lists} lists`,
    `${weather.seconds.toFixed(1)} s, ${events.length} events, journal ${journals.map(kB).join(' + ')}, snapshot ${kB(path.join(dir, 'snapshot.jsonl'))}, tasks.yaml ${kB(path.join(root, queueLayout.mirror))}`,
  ].join('; ');
}

function byId(tasks: Iterable<Task>): Task[] {
  return [...tasks].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
