import fs from 'node:fs';
import { expect, test } from 'vitest';
import { encodeLine } from '../../src/store/codec.ts';
import type { FileStore } from '../../src/store/store.ts';
import type { Event, NewEvent } from '../../src/task/schema.ts';
import { begun, claimed, happened, round, workStep } from '../support/queue-history.ts';
import { add, journalOf, lookAt, mirrorOf, openStore, scratch } from '../support/scratch.ts';

/** Two queued tasks, `a` and `b`, and a store that takes edits at once. */
async function queue(): Promise<{ root: string; store: FileStore; warnings: string[] }> {
  const root = scratch();
  const warnings: string[] = [];
  const store = await openStore(root, { settleMs: 0, warn: (text) => warnings.push(text) });
  for (const name of ['a', 'b']) await add(store, name);
  return { root, store, warnings };
}

/** As an editor would: the record of one task says completed, and nobody runs it. */
function markCompleted(root: string, name: string): void {
  const text = fs.readFileSync(mirrorOf(root), 'utf8');
  const at = text.indexOf(`name: ${name}\n`);
  const marked = text
    .slice(at)
    .replace(/status: \w+/, 'status: completed')
    .replace(/started_at: .*/, 'started_at: "2026-01-01T00:00:00.000Z"')
    .replace(/completed_at: .*/, 'completed_at: "2026-01-01T00:00:00.000Z"')
    .replace(/owner_pid: .*/, 'owner_pid: null')
    .replace(/\n +failure:\n +error: .*/, '');
  fs.writeFileSync(mirrorOf(root), text.slice(0, at) + marked);
}

/** A line with the right number and the right checksum that no docket wrote. */
function forge(root: string, fact: NewEvent): void {
  const lines = fs.readFileSync(journalOf(root), 'utf8').trimEnd().split('\n');
  const { seq } = JSON.parse(lines.at(-1) ?? '') as Event;
  const event = { v: 1, seq: seq + 1, at: new Date().toISOString(), ...fact };
  fs.appendFileSync(journalOf(root), encodeLine(event));
}

const done = (taskId: string): NewEvent => ({
  type: 'task.done',
  taskId,
  by: 'docket',
  data: { summary: 'forged', verdict: { kind: 'pass', evidence: ['ev-1234567890abcdef'] } },
});

test('a task that a person marks completed is done, and shown as not proved', async () => {
  const { root, store } = await queue();
  markCompleted(root, 'a');
  expect(await store.doctor()).toEqual([]);
  expect(await store.get('a')).toMatchObject({ status: 'done', unproved: true });
  const { tasks } = lookAt(root);
  expect(tasks.find(({ id }) => id === 'a')).toMatchObject({ status: 'done', unproved: true });
});

test('a failed task that a person marks completed is done, and shown as not proved', async () => {
  const { root, store } = await queue();
  const claim = await claimed(store, 'a');
  await happened(store, claim, { type: 'fail', failure: { error: 'broken' } });
  await claim.release();
  markCompleted(root, 'a');
  await store.doctor();
  expect(await store.get('a')).toMatchObject({ status: 'done', unproved: true });
});

test('the word completed in the file does not end a task that a live process runs', async () => {
  const { root, store, warnings } = await queue();
  const claim = await claimed(store, 'a');
  markCompleted(root, 'a');
  expect(lookAt(root).tasks.find(({ id }) => id === 'a')).toMatchObject({ status: 'running' });
  const other = await openStore(root, { settleMs: 0 });
  expect(await other.get('a')).toMatchObject({ status: 'running' });
  await other.close();
  markCompleted(root, 'a');
  expect(await store.beat(claim)).toBe('ok');
  expect(warnings.join('\n')).toContain('task a was marked done while docket-test is running it');
  expect(fs.readFileSync(mirrorOf(root), 'utf8')).toContain('status: running');
  await happened(store, claim, { type: 'fail', failure: { error: 'exit code 3' } });
  await claim.release();
  await store.close();
  expect(lookAt(root).tasks.find(({ id }) => id === 'a')).toMatchObject({ status: 'failed' });
});

test('an edit made while a task ran does not undo how the run ended', async () => {
  const { root, store, warnings } = await queue();
  const claim = await claimed(store, 'a');
  const running = fs.readFileSync(mirrorOf(root), 'utf8');
  await store.close();
  // The docket process that looks next waits for the file to be quiet, and the run ends meanwhile.
  const saving = await openStore(root, { settleMs: 60_000, warn: (text) => warnings.push(text) });
  fs.writeFileSync(mirrorOf(root), running);
  markCompleted(root, 'a');
  const held = (await saving.get('a')) as { token?: number };
  expect(held.token).toBe(claim.token);
  await happened(saving, claim, { type: 'fail', failure: { error: 'exit code 3' } });
  fs.utimesSync(mirrorOf(root), 1, 1);
  await saving.doctor();
  expect(await saving.get('a')).toMatchObject({ status: 'failed' });
  expect(warnings.join('\n')).toContain('the run ended as failed. The edit was ignored');
});

test('a forged end of a task that this process runs stops the run, and nothing is done', async () => {
  const { root, store } = await queue();
  const claim = await claimed(store, 'a');
  forge(root, done('a'));
  expect(await store.beat(claim)).toBe('lost');
  expect(await store.get('a')).toMatchObject({
    status: 'blocked',
    reason: { kind: 'verify', text: expect.stringContaining('(task.done) was not written by the docket') },
  });
});

test('a forged end of a task that nobody ran is shown as not proved', async () => {
  const { root, store } = await queue();
  const claim = await claimed(store, 'a');
  forge(root, done('b'));
  expect(await store.beat(claim)).toBe('ok');
  expect(await store.get('b')).toMatchObject({ status: 'done', unproved: true });
  expect(lookAt(root).tasks.find(({ id }) => id === 'b')).toMatchObject({ unproved: true });
});

test('a forged end is never shown as done, not even before the next write', async () => {
  const { root, store } = await queue();
  await claimed(store, 'a');
  forge(root, done('a'));
  expect(await store.get('a')).toMatchObject({ status: 'blocked' });
  expect((await store.list({ status: ['done'] })).map(({ id }) => id)).toEqual([]);
});

test('a forged step of a run stops that run', async () => {
  const { root, store } = await queue();
  const claim = await claimed(store, 'a');
  const attempt = { step: 'work', n: 1, agent: 'x', adapter: 'command', mark: 'm' };
  forge(root, { type: 'attempt.started', taskId: 'a', by: 'docket', data: attempt });
  expect(await store.beat(claim)).toBe('lost');
  expect(await store.get('a')).toMatchObject({ status: 'blocked', reason: { kind: 'verify' } });
});

test('another process may cancel a running task, and its own lines are no forgery', async () => {
  const { root, store } = await queue();
  const claim = await claimed(store, 'a');
  await happened(store, claim, {
    type: 'begin',
    step: 'work',
    n: 1,
    agent: 'x',
    adapter: 'command',
    mark: 'm',
  });
  const other = await openStore(root);
  await happened(other, claim, { type: 'cancel', reason: 'not wanted' });
  await other.close();
  expect(await store.beat(claim)).toBe('canceled');
  expect(await store.get('a')).toMatchObject({ status: 'canceled' });
});

test('a person may reject a question of a running task, and the other workers continue', async () => {
  const { root, store } = await queue();
  const claim = await claimed(store, 'a');
  await happened(
    store,
    claim,
    round(1, workStep('w1'), workStep('w2')),
    begun('w1', 1),
    begun('w2', 1),
    { type: 'end', step: 'w1', n: 1, outcome: 'ok' },
    { type: 'finish', step: 'w1', state: 'blocked', reason: 'Which port?' },
    { type: 'ask', gate: 'gate-w1', kind: 'human-approval', reason: 'Which port?', step: 'w1' },
  );
  const other = await openStore(root);
  const { times } = (await other.get('a'))?.run?.gates['gate-w1'] ?? {};
  const answer = { type: 'answer', gate: 'gate-w1', decision: 'rejected', note: 'not this way' } as const;
  await happened(other, claim, { ...answer, ...(times !== undefined && { times }) });
  await other.close();
  expect(await store.beat(claim)).toBe('ok');
  expect(await store.get('a')).toMatchObject({
    status: 'running',
    run: { states: { w1: { state: 'failed' }, w2: { state: 'running' } } },
  });
});
