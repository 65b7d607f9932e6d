import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { at, compatBoard } from '../../support/compat.ts';

describe('the scripts of the board', { timeout: 60_000 }, () => {
  it('init-task-board, task_board init', async () => {
    const { run, root } = compatBoard();
    expect(await run('init-task-board', ['--root', 'here', '--dry-run'])).toEqual({
      code: 0,
      stdout: '[dry-run] task_board init --root here\n',
      stderr: '',
    });
    expect(fs.readdirSync(root)).toEqual(['out']);
    const made =
      '{"ok": true, "jsonl": "here/state/tasks.jsonl", "snapshot": "here/state/tasks.snapshot.json"}\n';
    expect(await run('init-task-board', ['--root', 'here'])).toEqual({ code: 0, stdout: made, stderr: '' });
    expect(await run('task_board', ['init', '--root=here'])).toMatchObject({ code: 0, stdout: made });
    expect(fs.readdirSync(path.join(root, 'here/state')).toSorted()).toEqual(
      expect.arrayContaining(['locks', 'tasks.jsonl', 'tasks.snapshot.json']),
    );
  });

  it('claim-task, update-task', async () => {
    const { run, json, root, route, tasks } = compatBoard();
    await route('create task: one');
    const claim = ['--root', root, '--task-id', 'T-001', '--agent', 'coder'];
    expect((await run('claim-task', [...claim, '--dry-run'])).stdout).toBe(
      `[dry-run] orchestrator-router --root ${root} --actor coder --text '@coder claim task T-001' --milestones dry-run\n`,
    );
    expect(at(tasks(), 'T-001.status')).toBe('pending');
    expect(await json('claim-task', claim)).toEqual({
      code: 0,
      ok: true,
      intent: 'claim_task',
      taskId: 'T-001',
      owner: 'coder',
      status: 'claimed',
    });
    const update = (from: string, to: string, ...more: string[]) =>
      run('update-task', [
        '--root',
        root,
        '--task-id',
        'T-001',
        '--from',
        from,
        '--to',
        to,
        '--actor',
        'coder',
        ...more,
      ]);
    expect(await update('done', 'claimed')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'invalid transition: done -> claimed\n',
    });
    expect(await update('in_progress', 'review')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('review'),
    });
    expect((await update('claimed', 'done', '--dry-run')).stdout).toContain("--text 'mark done T-001: ");
    expect((await update('claimed', 'in_progress')).code).toBe(0);
    expect(at(tasks(), 'T-001.status')).toBe('in_progress');
    expect(JSON.parse((await update('in_progress', 'done')).stdout)).toMatchObject({
      ok: true,
      acceptance: { ok: false },
      apply: { intent: 'block_task' },
    });
    expect(tasks()['T-001']).toMatchObject({ status: 'blocked' });
  });

  it('task_board apply, synthesize-board', async () => {
    const { json, root } = compatBoard();
    const apply = (text: string, actor = 'coder') =>
      json('task_board', ['apply', '--root', root, '--actor', actor, '--text', text]);
    expect(await apply('create task: one')).toMatchObject({
      code: 0,
      taskId: 'T-001',
      assigneeHint: 'coder',
    });
    await apply('claim task T-001');
    expect(await apply('status')).toEqual({ code: 0, ok: true, counts: { claimed: 1 }, total: 1 });
    const { task } = await apply('status T-001');
    expect(Object.keys(task as object)).toEqual(
      'taskId title status owner assigneeHint createdBy createdAt updatedAt blockedReason result review relatedTo projectId history'.split(
        ' ',
      ),
    );
    expect(await apply('status T-9')).toMatchObject({ code: 1, ok: false, error: 'task not found: T-9' });
    expect(await apply('mark done T-001: fine')).toMatchObject({ code: 1, ok: false, status: 'blocked' });
    expect(await apply('autopilot 3', 'orchestrator')).toMatchObject({
      code: 1,
      error: 'unsupported intent: autopilot',
    });
    expect(await json('synthesize-board', ['--root', root])).toMatchObject({
      code: 0,
      intent: 'synthesize',
      report: expect.stringMatching(/^SYNTHESIS REPORT\n- T-001 \[blocked\] owner=/),
    });
    expect(await json('synthesize-board', ['--root', root, '--task-id', 'T-9'])).toMatchObject({
      report: 'SYNTHESIS REPORT\n- no completed/review/blocked tasks found',
    });
  });

  it('task_board transition', async () => {
    const { run } = compatBoard();
    const ended = (from: string, to: string) =>
      run('task_board.py', ['transition', '--from', from, '--to', to]);
    expect(await ended('pending', 'claimed')).toEqual({
      code: 0,
      stdout: 'valid transition: pending -> claimed\n',
      stderr: '',
    });
    expect(await ended('done', 'done')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'invalid transition: done -> done\n',
    });
    expect((await ended('toString', 'call')).code).toBe(1);
  });

  it('rebuild-snapshot', async () => {
    const { json, root, route, write, read, tasks } = compatBoard();
    expect(await json('rebuild-snapshot', ['--root', root])).toMatchObject({
      code: 1,
      error: 'missing input jsonl',
    });
    await route('create task: 一');
    await route('claim T-001', '--actor', 'coder');
    const live = read('state/tasks.snapshot.json');
    const found = await json('rebuild-snapshot', ['--root', root]);
    expect(Object.keys(found)).toEqual(
      'code ok mode input output events compactedEvents errors diff'.split(' '),
    );
    expect(found).toMatchObject({ code: 0, mode: 'dry-run', events: 2, compactedEvents: 2, errors: [] });
    expect(found['diff']).toEqual({
      liveTaskCount: 1,
      rebuiltTaskCount: 1,
      addedTasks: 0,
      removedTasks: 0,
      changedTasks: 0,
    });
    expect(fs.existsSync(path.join(root, 'state/tasks.snapshot.rebuilt.json'))).toBe(false);
    await json('rebuild-snapshot', ['--root', root, '--apply']);
    const rebuilt = JSON.parse(read('state/tasks.snapshot.rebuilt.json'));
    expect(rebuilt).toMatchObject({
      tasks: tasks(),
      meta: { version: 2, rebuild: { events: 2, errors: 0 } },
    });
    expect(read('state/tasks.snapshot.json')).toBe(live);

    const line = (eventId: string, type: string, payload: object) =>
      JSON.stringify({
        eventId,
        taskId: 'T-1',
        type,
        messageType: '[TASK]',
        actor: 'a',
        at: '2026-03-01T00:00:00Z',
        payload,
      });
    const made = line('1', 'task_created', { title: 'x', assigneeHint: 'a' });
    const blocked = (id: string) => line(id, 'task_blocked', { from: 'pending', to: 'blocked', reason: 'r' });
    write('old.jsonl', [made, blocked('2'), 'torn {', blocked('3'), ''].join('\n'));
    write('state/tasks.snapshot.json', '{"tas');
    const files = ['--input', 'old.jsonl', '--output', 'out/new.json', '--compact-jsonl', 'out/less.jsonl'];
    expect(await json('rebuild-snapshot', ['--root', root, '--apply', ...files])).toMatchObject({
      code: 1,
      ok: false,
      events: 3,
      compactedEvents: 2,
      errors: ['line 3: invalid json'],
      compactJsonl: 'out/less.jsonl',
    });
    expect(read('out/less.jsonl')).toBe(`${made}\n${blocked('3')}\n`);
    expect(JSON.parse(read('out/new.json'))).toMatchObject({ tasks: { 'T-1': { blockedReason: 'r' } } });
  });

  it('recover-stale-locks', async () => {
    const { json, root, route, write } = compatBoard();
    const recover = (...more: string[]) => json('recover-stale-locks', ['--root', root, ...more]);
    expect(await recover()).toMatchObject({ code: 0, message: 'no lock directory' });
    await route('create task: one');
    const lock = path.join(root, 'state/locks/task-board.lock');
    write(
      'state/locks/task-board.lock',
      JSON.stringify({ token: 't', owner: 'apply:x:y', pid: 1, expiresAtTs: 2 }),
    );
    const found = await recover('--ttl-seconds', '5');
    expect(Object.keys(found)).toEqual(
      'code ok mode lockDir ttlSeconds graceSeconds scanned candidates reclaimed errors audit'.split(' '),
    );
    expect(found).toMatchObject({
      mode: 'dry-run',
      ttlSeconds: 5,
      graceSeconds: 15,
      scanned: 1,
      reclaimed: [],
    });
    const about = { path: lock, owner: 'apply:x:y', pid: 1, expiresAtTs: 2, stale: true, reason: 'expired' };
    expect(found['candidates']).toMatchObject([about]);
    expect(fs.existsSync(lock)).toBe(true);
    expect(await recover('--apply')).toMatchObject({ reclaimed: [about], audit: { entries: 1 } });
    expect(fs.existsSync(lock)).toBe(false);
  });
});
