import fs from 'node:fs';
import { expect } from 'vitest';
import { queueLayout } from '../../src/kinds/queue/format/layout.ts';
import { execute } from '../../src/store/execute.ts';
import { openFileStore } from '../../src/store/file/file-store.ts';
import type { Claim, FileStore, Store } from '../../src/store/store.ts';
import { checkJournal } from '../../src/store/upkeep/check-journal.ts';
import type { Event, Task } from '../../src/task/schema.ts';
import { eventsAfter, fold } from '../conformance/support.ts';
import { fixedTime, worker, type Plan, type Step } from './crash-plan.ts';
import { photograph, type Life } from './crash-run.ts';
import { journalOf, mirrorOf, readNow, storeDir } from './scratch.ts';

const clock = { now: () => fixedTime };
const now = new Date(fixedTime).toISOString();

/** The states after 0, 1, 2 … steps when nobody is killed. */
export type Reference = Record<string, unknown>[];

/** Open as a restart does it, on a clock that stands still. Flushing is left out: nothing is killed here. */
export function restart(
  root: string,
  lockKind: 'kernel' | 'link',
  projectionLagMs: number,
): Promise<FileStore> {
  const dir = storeDir(root);
  const options = { root, dir, layout: queueLayout, clock, lockKind, projectionLagMs, lockWaitMs: 2000 };
  return openFileStore({ ...options, durability: 'relaxed' });
}

/** What a client does with a step of which it has, or has not, heard. */
export async function perform(backend: FileStore, step: Step, claims: Map<string, Claim>): Promise<void> {
  if ('compact' in step.do) return backend.compact();
  if ('take' in step.do) return take(backend, step.do.take, claims);
  const { command, token } = step.do;
  let task = token && (await backend.get(command.id));
  // Its worker died, so it went back to the queue: whoever goes on with it takes it again.
  if (task?.status === 'queued' && command.type !== 'renew' && command.type !== 'release') {
    await take(backend, command.id, claims);
    task = await backend.get(command.id);
  }
  const current = task && 'token' in task ? task.token : 0;
  const executed = await execute(
    backend,
    { ...command, ...(token && { token: current }) },
    { now, key: step.name },
  );
  if (!executed.ok) throw new Error(`${step.name}: ${executed.refusal.message}`);
  if (step.release !== undefined) await claims.get(step.release)?.release();
}

async function take(backend: Store, id: string, claims: Map<string, Claim>): Promise<void> {
  const [claim] = await backend.claim({ owner: worker, max: 1, only: [id] });
  if (!claim) throw new Error(`${id} could not be claimed`);
  claims.set(id, claim);
}

/** Without what differs from run to run: numbers of events, and processes. */
export function plain(tasks: readonly Task[]): Record<string, unknown> {
  const entries = tasks.map((task): [string, unknown] => {
    const { rev: _rev, ...rest } = task;
    if ('token' in rest) delete rest.token;
    if ('lease' in rest && rest.lease?.kind === 'process') delete (rest as { lease?: unknown }).lease;
    return [task.id, rest];
  });
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Everything that must hold of a store whose process was killed. Throws what does not. */
export async function checkLife(plan: Plan, life: Life, reference: Reference): Promise<void> {
  const { root, lockKind } = life.run;
  expect(photograph(root), 'something was written after the point of death').toEqual(life.photograph);
  const seen = plain(
    readNow({ root, dir: storeDir(root), layout: queueLayout, clock }, { removed: true }).tasks,
  );
  expect(photograph(root), 'reading has changed something').toEqual(life.photograph);

  // The files are mended as the store is opened; what follows is written to them once, at the end.
  const backend = await restart(root, lockKind, 60_000);
  let final: Task[];
  try {
    const events = await allOf(backend);
    const done = stepsIn(plan, events);
    const acked = life.run.from + life.acked.length;
    expect(done, 'the steps in the journal are not those of the plan').toEqual(
      eventful(plan.steps).slice(0, done.length),
    );
    const least = eventful(plan.steps.slice(0, acked)).length;
    expect(done.length, 'an acknowledged step is lost').toBeGreaterThanOrEqual(least);
    const most = eventful(plan.steps.slice(0, acked + 1)).length;
    expect(done.length, 'more than the one step under way').toBeLessThanOrEqual(most);
    const at = done.length === least ? acked : acked + 1;
    const state = await backend.list({ removed: true });
    expect(plain(state), `the state is not that after ${at} steps`).toEqual(
      withoutDead(reference[at], events),
    );
    expect(seen, 'a reader saw something else than what the restart made').toEqual(plain(state));
    expect(await backend.doctor()).toEqual([]);
    checkFiles(root, state);

    await finish(plan, backend, acked);
    final = await backend.list({ removed: true });
    expect(plain(final), 'the end is another than without a kill').toEqual(reference.at(-1));
    const all = await allOf(backend);
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
    expect([...fold(all).values()].toSorted(byRev)).toEqual(final.toSorted(byRev));
    const keys = all.flatMap(({ key }) => key ?? []);
    expect(keys.toSorted(), 'each command is one event').toEqual(keyed(plan).toSorted());
    const dead = all.filter(({ by }) => by === 'docket');
    expect(dead.length, 'a worker dies once').toBeLessThanOrEqual(1);
    const takes = plan.steps.filter((step) => 'take' in step.do).length;
    const commands = plan.before.length + keyed(plan).length + takes;
    expect(all.length, 'an event that nobody asked for').toBe(commands + 2 * dead.length);
  } finally {
    await backend.close();
  }
  checkFiles(root, final);
  expect(checkJournal(journalOf(root))).toEqual([]);
  if (lockKind === 'link')
    expect(fs.existsSync(`${storeDir(root)}/store.lock`), 'the lock was left').toBe(false);
}

/** Goes on where the killed process stopped, from the first step it got no answer to. Lanes go side by side. */
async function finish(plan: Plan, backend: FileStore, acked: number): Promise<void> {
  const claims = new Map<string, Claim>();
  const rest = plan.steps.slice(acked);
  const lanes = new Set(rest.map(({ lane }) => lane));
  await Promise.all(
    [...lanes].map(async (lane) => {
      for (const step of rest.filter((one) => one.lane === lane)) await perform(backend, step, claims);
    }),
  );
}

async function allOf(backend: Store): Promise<Event[]> {
  const tasks = await backend.list({ removed: true });
  return eventsAfter(backend, 0, Math.max(0, ...tasks.map(({ rev }) => rev)));
}

/** The names of the steps that left an event, in order. A claim has no key: it is known by what it does. */
function stepsIn(plan: Plan, events: readonly Event[]): string[] {
  return events
    .slice(plan.before.length)
    .filter(({ by }) => by !== 'docket')
    .map(
      (event) =>
        event.key ?? (event.type === 'task.started' ? `take ${event.taskId}` : `unknown ${event.seq}`),
    );
}

function eventful(steps: readonly Step[]): string[] {
  return steps.filter((step) => !('compact' in step.do)).map(({ name }) => name);
}

function keyed(plan: Plan): string[] {
  return plan.steps.filter((step) => 'command' in step.do).map(({ name }) => name);
}

/** Work whose process is gone waits again. */
function withoutDead(state: Record<string, unknown> | undefined, events: readonly Event[]): unknown {
  const after = { ...state };
  for (const { taskId } of events.filter(({ by }) => by === 'docket')) {
    const { status, owner, startedAt, ...rest } = after[taskId] as Record<string, unknown>;
    expect([status, owner, startedAt], 'only running work is put back').toEqual(['running', worker, now]);
    after[taskId] = { ...rest, status: 'queued' };
  }
  return after;
}

/** The mirror, read back, says of every task what the journal says, and of nothing else. */
function checkFiles(root: string, tasks: readonly Task[]): void {
  const text = fs.existsSync(mirrorOf(root)) ? fs.readFileSync(mirrorOf(root), 'utf8') : undefined;
  const sheet = queueLayout.split(text);
  expect(sheet.wrong).toBeUndefined();
  const found = sheet.entries.map((entry) => [entry.ref, queueLayout.parse(entry)] as const);
  const listed = tasks.flatMap((task) => {
    const fields = queueLayout.describe(task);
    return fields ? [[queueLayout.ref(task), { fields }] as const] : [];
  });
  expect(new Map(found), 'the mirror is not what the journal says').toEqual(new Map(listed));
  expect(found.length).toBe(listed.length);
  for (const task of tasks) {
    for (const { path, text: body } of task.status === 'queued' ? queueLayout.companions(task) : []) {
      expect(fs.readFileSync(`${root}/${path}`, 'utf8')).toBe(`${body as string}\n`);
    }
  }
}

function byRev(a: Task, b: Task): number {
  return a.rev - b.rev;
}
