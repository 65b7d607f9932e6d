import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { notedOf } from '../../../src/kinds/queue/format/record.ts';
import { claimed, happened, round, workStep } from '../../support/queue-history.ts';
import { add, lookAt, openStore, scratch } from '../../support/scratch.ts';
import { answerIn, inFolder } from './real-world.ts';

/** One task of every status: `queued`, `running`, `failed`, `blocked`, `done`, `canceled`. */
async function queueOfAll(): Promise<string> {
  const root = scratch();
  const store = await openStore(root);
  const names = ['queued', 'running', 'failed', 'blocked', 'done', 'canceled'];
  for (const name of names) await add(store, name);
  const end = async (id: string, entry: Parameters<typeof happened>[2]) => {
    const claim = await claimed(store, id);
    await happened(store, claim, round(1, workStep('work')), entry);
    await claim.release();
  };
  await end('failed', { type: 'fail', failure: { error: 'broken' } });
  await end('blocked', { type: 'block', reason: { kind: 'verify', text: 'tests fail', who: 'a person' } });
  await end('done', { type: 'settle', verdict: { kind: 'pass' }, summary: 'all well' });
  await end('canceled', { type: 'cancel', reason: 'not needed' });
  await claimed(store, 'running');
  return root;
}

const statusOf = (root: string, id: string) => lookAt(root).tasks.find((task) => task.id === id)?.status;

describe('docket retry', () => {
  it('puts back what failed, is blocked or was canceled, with what the person says', async () => {
    const root = await queueOfAll();
    const argv = ['retry', 'failed', 'blocked', 'canceled', '--note', 'Use port 8080', '--more-steps', '5'];
    const { code, stdout } = await inFolder(root, argv);
    expect(stdout).toBe(
      'failed is queued (was failed)\nblocked is queued (was blocked)\ncanceled is queued (was canceled)\n',
    );
    expect(code).toBe(0);
    const task = lookAt(root).tasks.find(({ id }) => id === 'failed')!;
    expect(notedOf(task)).toEqual({ note: 'Use port 8080', maxSteps: 6 });
    await inFolder(root, ['retry', 'failed', '--from', 'work']);
    expect(notedOf(lookAt(root).tasks.find(({ id }) => id === 'failed')!)).toEqual({
      from: 'work',
      maxSteps: 6,
    });
  });

  it('refuses what runs and what is done, says why, and does the others', async () => {
    const root = await queueOfAll();
    const { code, stdout, stderr } = await inFolder(root, ['retry', 'running', 'done', 'nobody', 'failed']);
    expect(code).toBe(4);
    expect(stdout).toBe('failed is queued (was failed)\n');
    expect(stderr).toContain(`error: task running: it is running (by process ${process.pid} on `);
    expect(stderr).toContain('docket cancel running');
    expect(stderr).toContain('docket requeue done');
    expect(stderr).toContain('there is no task "nobody"');
    expect([statusOf(root, 'running'), statusOf(root, 'done')]).toEqual(['running', 'done']);
  });

  it('refuses a step that the workflow does not have', async () => {
    const root = await queueOfAll();
    const { code, stderr } = await inFolder(root, ['retry', 'failed', '--from', 'wrok']);
    expect([code, statusOf(root, 'failed')]).toEqual([2, 'failed']);
    expect(stderr).toContain('did you mean "work"');
  });

  it('does not go past a gate', async () => {
    const root = scratch();
    const store = await openStore(root);
    await add(store, 'gated');
    const claim = await claimed(store, 'gated');
    const reason = 'Which port?';
    await happened(
      store,
      claim,
      round(1, workStep('work')),
      { type: 'finish', step: 'work', state: 'blocked', reason },
      { type: 'ask', gate: 'gate-work', kind: 'human-approval', step: 'work', reason },
      { type: 'block', reason: { kind: 'gate', text: reason, who: 'a person' } },
    );
    await claim.release();
    const refused = await inFolder(root, ['retry', 'gated']);
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain('docket gate list gated');

    const listed = await inFolder(root, ['gate', 'list']);
    expect(listed.stdout).toContain('gate-work of gated');
    const shown = await inFolder(root, ['show', 'gated']);
    expect(shown.stdout).toContain('docket gate approve gated gate-work --note "…"');
    const approved = await inFolder(root, ['gate', 'approve', 'gated', 'gate-work', '--note', '8080']);
    expect(approved.stdout).toBe('approved gate-work of gated; it can go on\n');
    expect(approved.stderr).toContain('docket run gated');
    expect(await answerIn(root, ['gate', 'list', 'gated'])).toMatchObject({
      gates: [{ gate: 'gate-work', state: 'approved', resolvedBy: 'ann', note: '8080' }],
    });
    expect((await inFolder(root, ['gate', 'reject', 'gated', 'gate-work', '--note', 'no'])).code).toBe(4);
    expect((await inFolder(root, ['gate', 'approve', 'nobody', 'g'])).code).toBe(3);
  });
});

describe('docket requeue', () => {
  it('takes also what is done, and says so in one JSON value', async () => {
    const root = await queueOfAll();
    expect(await answerIn(root, ['requeue', 'done'])).toEqual({
      v: 1,
      ok: true,
      kind: 'queue',
      id: 'done',
      status: 'queued',
      tasks: [
        { ok: true, kind: 'queue', id: 'done', name: 'done', was: 'done', status: 'queued', changed: true },
      ],
    });
    expect(statusOf(root, 'done')).toBe('queued');
  });

  it('changes nothing in a dry run, not even a file', async () => {
    const root = await queueOfAll();
    const before = fs.readFileSync(path.join(root, '.docket/queue/journal.jsonl'));
    const { stdout, code } = await inFolder(root, ['requeue', 'done', 'failed', 'queued', '--dry-run']);
    expect(stdout).toBe(
      'done would be queued (was done)\nfailed would be queued (was failed)\nqueued is queued already\n',
    );
    expect(code).toBe(0);
    expect(fs.readFileSync(path.join(root, '.docket/queue/journal.jsonl'))).toEqual(before);
  });
});

describe('docket cancel', () => {
  it('gives up what is not over, twice as well as once', async () => {
    const root = await queueOfAll();
    for (const word of ['is canceled (was', 'is canceled already'])
      expect((await inFolder(root, ['cancel', 'running', 'queued', '--reason', 'enough'])).stdout).toContain(
        word,
      );
    const canceled = lookAt(root).tasks.filter(({ status }) => status === 'canceled');
    expect(canceled.map(({ id }) => id)).toEqual(['queued', 'running', 'canceled'].toSorted(byLength));
    expect(canceled).toContainEqual(expect.objectContaining({ id: 'running', canceledBecause: 'enough' }));
  });

  it('refuses what is done, as JSON too', async () => {
    const root = await queueOfAll();
    const { code, stdout } = await inFolder(root, ['cancel', 'done', 'queued', '--json']);
    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      error: { code: 'REFUSED' },
      tasks: [
        { ok: false, ref: 'done' },
        { ok: true, id: 'queued' },
      ],
    });
  });
});

describe('names', () => {
  it('that stand for two tasks are not guessed', async () => {
    const root = scratch();
    fs.mkdirSync(path.join(root, '.takt'));
    const record = (n: number) =>
      `  - name: same\n    status: pending\n    content: "text ${n}"\n    created_at: "2026-03-0${n}T00:00:00.000Z"\n    started_at: null\n    completed_at: null\n`;
    fs.writeFileSync(path.join(root, '.takt', 'tasks.yaml'), `tasks:\n${record(1)}${record(2)}`);
    const { code, stderr } = await inFolder(root, ['cancel', 'same']);
    expect(code).toBe(2);
    expect(stderr).toContain('"same" may mean 2 tasks');
    expect(stderr).toMatch(/say which: \S+ \(text 1\), \S+ \(text 2\)\n/);
    const [first] = lookAt(root).tasks;
    expect((await inFolder(root, ['cancel', first!.id])).code).toBe(0);
    expect(lookAt(root).tasks.map(({ status }) => status)).toEqual(['canceled', 'queued']);
  });

  it('that begin alike are named', async () => {
    const root = scratch();
    for (const name of ['login-page', 'login-test']) await inFolder(root, ['add', name, '--name', name]);
    const { code, stderr } = await inFolder(root, ['cancel', 'login']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('say which: login-page, login-test\n')]);
  });
});

function byLength(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1);
}
