import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { boardLocks, unlockBoard } from '../../../src/kinds/board/locks.ts';
import { boardFile, create, listed, openBoard } from '../../support/board.ts';
import { scratch } from '../../support/scratch.ts';

const lockOf = (root: string): string => boardFile(root, 'locks/task-board.lock');
const clock = { now: () => Date.now() };

async function deadPid(): Promise<number> {
  const child = spawn('true');
  await once(child, 'exit');
  return child.pid as number;
}

/** As the other tool writes it. */
function hold(root: string, set: Record<string, unknown>): void {
  const seconds = Date.now() / 1000;
  const whole = {
    token: 't',
    owner: 'apply:ann:create_task',
    pid: process.ppid,
    createdAt: '2026-03-01T00:00:00Z',
  };
  const times = { createdAtTs: seconds, expiresAtTs: seconds + 45, sessionId: '', host: os.hostname() };
  fs.mkdirSync(path.dirname(lockOf(root)), { recursive: true });
  fs.writeFileSync(lockOf(root), JSON.stringify({ ...whole, ...times, ...set }));
}

describe('the lock of the other tools', () => {
  it('is ours while we write, with all that they look for, and not longer', async () => {
    const root = scratch();
    const board = await openBoard(root);
    const seen = await board.exclusive([], () => JSON.parse(fs.readFileSync(lockOf(root), 'utf8')) as object);
    expect(seen).toMatchObject({
      owner: 'docket',
      pid: process.pid,
      sessionId: '',
      host: expect.stringContaining(os.hostname()),
    });
    expect(seen).toMatchObject({
      token: expect.stringMatching(/^[0-9a-f-]{36}$/),
      createdAt: expect.stringMatching(/\dZ$/),
    });
    const { createdAtTs, expiresAtTs } = seen as Record<string, number>;
    expect(expiresAtTs! - createdAtTs!).toBeCloseTo(45);
    await create(board, 'one');
    expect(fs.existsSync(lockOf(root))).toBe(false);
  });

  it('is waited for, and the error says who has it', async () => {
    const root = scratch();
    await (await openBoard(root)).close();
    hold(root, {});
    await expect(openBoard(root, { lockWaitMs: 100 })).rejects.toMatchObject({
      code: 'LOCK_TIMEOUT',
      message: expect.stringContaining('apply:ann:create_task'),
    });
    const opening = openBoard(root);
    setTimeout(() => fs.rmSync(lockOf(root)), 100);
    expect(await create(await opening, 'one')).toBe('T-001');
  });

  it.each([
    ['is over', async () => ({ expiresAtTs: Date.now() / 1000 - 1 })],
    ['is of a dead process', async () => ({ pid: await deadPid() })],
    ['is of our own number, from before', async () => ({ pid: process.pid })],
  ])('that %s is nobody’s', async (_, set) => {
    const root = scratch();
    hold(root, await set());
    expect(await create(await openBoard(root, { lockWaitMs: 100 }), 'one')).toBe('T-001');
  });

  it('without an end, or of another machine, is left alone', async () => {
    for (const set of [{ expiresAtTs: 0 }, { host: 'elsewhere', pid: await deadPid() }]) {
      const root = scratch();
      hold(root, set);
      await expect(openBoard(root, { lockWaitMs: 50 })).rejects.toMatchObject({ code: 'LOCK_TIMEOUT' });
      expect(fs.existsSync(lockOf(root))).toBe(true);
    }
  });

  it('that is empty is being filled for a moment, and left behind after it', async () => {
    const root = scratch();
    hold(root, {});
    fs.writeFileSync(lockOf(root), '');
    await expect(openBoard(root, { lockWaitMs: 50 })).rejects.toMatchObject({ code: 'LOCK_TIMEOUT' });
    fs.utimesSync(lockOf(root), 1, 1);
    expect(await create(await openBoard(root, { lockWaitMs: 100 }), 'one')).toBe('T-001');
  });

  it('that became somebody else’s while we slept is not removed', async () => {
    const root = scratch();
    const board = await openBoard(root);
    await board.exclusive([], () => hold(root, { owner: 'other' }));
    expect(fs.readFileSync(lockOf(root), 'utf8')).toContain('other');
    fs.rmSync(lockOf(root));
  });
});

describe('locks and leases', () => {
  it('are there for people to read, and gone when the claim is', async () => {
    const root = scratch();
    const board = await openBoard(root);
    await create(board, 'one');
    await create(board, 'two');
    const until = '2999-01-01T00:00:00Z';
    const events = [
      {
        type: 'task.claimed' as const,
        taskId: 'T-001',
        by: 'bob',
        data: { owner: 'bob', lease: { kind: 'term' as const, until } },
      },
    ];
    await board.transact({ events, expect: {} });
    const lease = boardFile(root, 'locks/T-001.lease.json');
    expect(JSON.parse(fs.readFileSync(lease, 'utf8'))).toMatchObject({
      taskId: 'T-001',
      owner: 'bob',
      lease: { until },
    });
    const [claim] = await board.claim({ owner: 'worker', max: 1, only: ['T-002'] });
    const run = boardFile(root, 'locks/runs/T-002.lock');
    expect(JSON.parse(fs.readFileSync(run, 'utf8'))).toMatchObject({
      taskId: 'T-002',
      owner: 'worker',
      pid: process.pid,
    });
    await claim?.release();
    expect(fs.existsSync(run)).toBe(false);
    await board.transact({
      events: [{ type: 'task.released', taskId: 'T-001', by: 'bob', data: { reason: 'no' } }],
      expect: {},
    });
    expect(fs.existsSync(lease)).toBe(false);
    expect(listed(root)['T-001']).toMatchObject({ status: 'pending', owner: null });
  });

  it('that were left behind are found, and removed when asked for, with a line that says so', async () => {
    const root = scratch();
    await (await openBoard(root)).close();
    hold(root, { pid: await deadPid() });
    const run = boardFile(root, 'locks/runs/T-009.lock');
    fs.writeFileSync(run, '{"taskId":"T-009","owner":"worker","pid":7}\n');
    const found = await boardLocks({ root, clock });
    expect(found).toMatchObject([
      { kind: 'board', stale: true, reason: 'dead', ownerDead: true, owner: 'apply:ann:create_task' },
      { kind: 'run', path: 'state/locks/runs/T-009.lock', stale: true, owner: 'worker' },
    ]);
    expect(await unlockBoard({ root, clock }, { dryRun: true })).toEqual(found);
    expect([fs.existsSync(run), fs.existsSync(lockOf(root))]).toEqual([true, true]);
    expect(await unlockBoard({ root, clock }, { dryRun: false })).toEqual(found);
    expect([fs.existsSync(run), fs.existsSync(lockOf(root))]).toEqual([false, false]);
    const audit = fs
      .readFileSync(boardFile(root, 'locks/recovery.audit.jsonl'), 'utf8')
      .trimEnd()
      .split('\n');
    expect(audit.map((line) => JSON.parse(line) as object)).toMatchObject([
      { action: 'reclaim_lock' },
      { stale: true },
    ]);
    expect(await boardLocks({ root, clock })).toEqual([]);
  });

  it('of the living are not', async () => {
    const root = scratch();
    const board = await openBoard(root);
    await create(board, 'one');
    await board.claim({ owner: 'worker', max: 1 });
    hold(root, {});
    expect(await unlockBoard({ root, clock }, { dryRun: false })).toEqual([]);
    expect((await boardLocks({ root, clock })).map(({ reason }) => reason)).toEqual(['held', 'held']);
    fs.rmSync(lockOf(root));
    onTestFinished(() => board.close());
  });
});
