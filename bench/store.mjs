// Stores to measure on: empty ones, and ones with a long past.
import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { queueLayout } from '../dist/kinds/queue/format/layout.js';
import { newRecord } from '../dist/kinds/queue/format/record.js';
import { encodeLine } from '../dist/store/codec.js';
import { execute } from '../dist/store/execute.js';
import { openFileStore } from '../dist/store/file/file-store.js';
import { newId } from '../dist/store/new-id.js';

const clock = { now: Date.now };
const start = Date.parse('2026-01-01T08:00:00Z');
const body = 'Find out why the login test fails now and then, mend it, and say in one line what it was.';

export function openStore(root, options = {}) {
  mkdirSync(root, { recursive: true });
  return openFileStore({ root, dir: storeFolder(root), layout: queueLayout, ...options });
}

function storeFolder(root) {
  return path.join(root, '.docket', 'queue');
}

export function journalFile(root) {
  return path.join(storeFolder(root), 'journal.jsonl');
}

/** One durable command, as a caller waits for it. */
export async function createTask(store) {
  const id = newId(clock);
  const command = { type: 'create', id, by: 'bench', ...newTask(id) };
  const executed = await execute(store, command, { now: new Date().toISOString() });
  if (!executed.ok) throw new Error(executed.refusal.message);
  return executed.task;
}

export function newTask(id) {
  const name = `fix-the-flaky-login-test-${id.slice(-6)}`;
  return {
    title: 'Fix the flaky login test',
    spec: { body, workspace: { kind: 'clone' } },
    extras: { queue: newRecord({ name }) },
  };
}

/** What happened to a task after it was created, as the types of its events. */
const fates = {
  queued: [],
  blocked: ['task.started', 'task.blocked'],
  done: ['task.started', 'task.done'],
  archived: ['task.started', 'task.done', 'task.archived'],
  failed: ['task.started', 'task.failed'],
  canceled: ['task.canceled'],
};

const lease = { kind: 'process', host: 'bench', pid: 4_000_000, startTime: '1', bootId: 'bench' };
const dataOf = {
  'task.started': { owner: 'worker-1', lease },
  'task.blocked': { reason: { kind: 'gate', text: 'somebody must look at the diff', who: 'a reviewer' } },
  'task.done': { summary: 'A timer was not awaited; it is now.', verdict: { kind: 'pass' } },
  'task.archived': {},
  'task.failed': { failure: { error: 'the tests still fail after three attempts' } },
  'task.canceled': { reason: 'no longer wanted' },
};

/**
 * A store in which `count` tasks went through the fates that `fateOf` gives them. Their events go into the journal
 * as the library encodes them, but in bulk; the library then makes snapshot and files from it as it always does. The
 * last twentieth of the tasks comes behind the snapshot: that is as far behind it as a store is on average.
 */
export async function buildStore(root, count, fateOf) {
  await (await openStore(root)).close();
  let seq = 0;
  let lines = [];
  const add = (type, taskId, data) => {
    seq += 1;
    const at = new Date(start + seq * 1000).toISOString();
    lines.push(encodeLine({ v: 1, seq, at, type, taskId, by: 'bench', data }));
  };
  for (const [from, to] of [
    [0, count * 0.95],
    [count * 0.95, count],
  ]) {
    for (let index = from; index < to; index += 1) {
      const id = newId({ now: () => start + seq * 1000 });
      add('task.created', id, newTask(id));
      for (const type of fates[fateOf(index)]) add(type, id, dataOf[type]);
    }
    appendFileSync(journalFile(root), lines.join(''));
    lines = [];
    await (await openStore(root)).close();
  }
}

export async function addQueued(store, count) {
  await Promise.all(Array.from({ length: count }, () => createTask(store)));
}
