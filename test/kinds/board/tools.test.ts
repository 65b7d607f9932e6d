import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/io/clock.ts';
import { makeBoard } from '../../../src/kinds/board/board.ts';
import { boardTools } from '../../../src/kinds/board/tools.ts';
import { logOf, snapshotOf } from '../../support/board.ts';
import { scratch } from '../../support/scratch.ts';

const { signal } = new AbortController();

function desk() {
  const root = scratch();
  const where = { root, env: process.env, clock: systemClock, warn: () => undefined };
  const say = (text: string) =>
    makeBoard(where).say({ text, sender: { actor: 'orchestrator', isBot: false }, signal });
  const read = (name: string) => fs.readFileSync(path.join(root, name), 'utf8');
  const write = (name: string, text: string) => {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), text);
  };
  return { root, tools: boardTools(where), say, read, write, files: () => treeOf(root) };
}

/** Every file below the root with its bytes, but for docket's own folder and its locks. */
function treeOf(root: string): Record<string, string> {
  const names = fs.readdirSync(root, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => fs.statSync(path.join(root, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, fs.readFileSync(path.join(root, name), 'utf8')]));
}

describe('board init', () => {
  it('makes the log and the snapshot, and the settings when they are asked for', async () => {
    const { tools, root, read, write, files } = desk();
    expect(await tools.init({ settings: true, dryRun: true })).toEqual([
      { path: 'state/tasks.jsonl', state: 'made' },
      { path: 'state/tasks.snapshot.json', state: 'made' },
      { path: 'config/acceptance-policy.json', state: 'made' },
      { path: 'docs/protocol-config.json', state: 'made' },
    ]);
    expect(files()).toEqual({});
    write('config/acceptance-policy.json', '{ "roles": {} }');
    const made = await tools.init({ settings: true, dryRun: false });
    expect(made.map(({ state }) => state)).toEqual(['made', 'made', 'there', 'made']);
    expect(read('config/acceptance-policy.json')).toBe('{ "roles": {} }');
    expect(JSON.parse(read('state/tasks.snapshot.json'))).toMatchObject({ tasks: {}, meta: { version: 2 } });
    const shipped = new URL('../../../configs/board/protocol-config.json', import.meta.url);
    expect(JSON.parse(read('docs/protocol-config.json'))).toEqual(
      JSON.parse(fs.readFileSync(shipped, 'utf8')),
    );
    const before = files();
    const again = await tools.init({ settings: true, dryRun: false });
    expect(again.map(({ state }) => state)).toEqual(['there', 'there', 'there', 'there']);
    expect(fs.readFileSync(logOf(root), 'utf8')).toBe('');
    expect(files()).toEqual(before);
  });

  it('writes no settings that nobody asked for, and none over a wrong one', async () => {
    const { tools, files, write } = desk();
    const made = await tools.init({ settings: false, dryRun: false });
    expect(made.map(({ state }) => state)).toEqual(['made', 'made', 'missing', 'missing']);
    expect(Object.keys(files()).filter((name) => /^(?:config|docs)/.test(name))).toEqual([]);
    write('docs/protocol-config.json', '{"intents": [');
    await expect(tools.init({ settings: true, dryRun: false })).rejects.toThrow(/protocol-config\.json:1:/);
  });
});

describe('board rebuild and compact', () => {
  it('say how the snapshot differs, and write it only when asked', async () => {
    const { tools, say, root, write } = desk();
    await say('create task: one');
    await say('create task: two');
    const good = fs.readFileSync(snapshotOf(root), 'utf8');
    expect(await tools.rebuild({ dryRun: true })).toMatchObject({ same: true, tasks: 2, written: false });
    const changed = good.replace('"one"', '"eins"').replaceAll('T-002', 'T-009');
    write('state/tasks.snapshot.json', changed);
    expect(await tools.rebuild({ dryRun: true })).toMatchObject({
      same: false,
      missing: ['T-002'],
      unknown: ['T-009'],
      changed: ['T-001'],
      written: false,
    });
    expect(fs.readFileSync(snapshotOf(root), 'utf8')).toBe(changed);
    expect(await tools.rebuild({ dryRun: false })).toMatchObject({ same: false, written: true });
    expect(JSON.parse(fs.readFileSync(snapshotOf(root), 'utf8'))).toMatchObject(
      JSON.parse(good) as Record<string, unknown>,
    );
  });

  it('never make a snapshot of nothing: where the log is gone, it may be all that is left', async () => {
    const { tools, say, root, files } = desk();
    await say('create task: one');
    fs.rmSync(logOf(root));
    const before = files();
    expect(await tools.validate()).toMatchObject([{ severity: 'error', path: 'state/tasks.jsonl' }]);
    await expect(tools.rebuild({ dryRun: false })).rejects.toMatchObject({ code: 'BAD_JOURNAL' });
    fs.rmSync(path.join(root, '.docket'), { recursive: true });
    await expect(tools.rebuild({ dryRun: false })).rejects.toThrow(/says nothing of the 1 tasks/);
    expect(files()['state/tasks.snapshot.json']).toBe(before['state/tasks.snapshot.json']);
  });

  it('puts the log away whole; the board stays as it is', async () => {
    const { tools, say, root, files } = desk();
    expect(await tools.compact({ dryRun: false })).toMatchObject({ before: { events: 0 }, written: false });
    await say('create task: one');
    await say('@ann claim task T-001');
    await say('block task T-001: no disk');
    const log = fs.readFileSync(logOf(root), 'utf8');
    const shown = JSON.stringify((await say('status T-001')).outcome);
    const before = files();
    const planned = await tools.compact({ dryRun: true });
    expect(planned).toMatchObject({ before: { events: 3, bytes: log.length }, written: false });
    expect(files()).toEqual(before);
    const done = await tools.compact({ dryRun: false });
    expect(done).toMatchObject({ archive: planned.archive, written: true });
    expect(fs.readFileSync(path.join(root, done.archive), 'utf8')).toBe(log);
    expect(JSON.stringify((await say('status T-001')).outcome)).toBe(shown);
    expect((await tools.compact({ dryRun: true })).archive).not.toBe(done.archive);
  });
});

describe('board unlock', () => {
  it('tells of a lock whose process is gone, and removes it with a line in the audit', async () => {
    const { tools, say, root, write } = desk();
    await say('create task: one');
    const lock = 'state/locks/task-board.lock';
    const old = {
      token: 't',
      owner: 'apply:x:claim_task',
      pid: 1,
      createdAtTs: 1,
      expiresAtTs: 2,
      host: 'h',
    };
    write(lock, JSON.stringify(old));
    expect(await tools.unlock({ dryRun: true })).toMatchObject([
      { path: lock, stale: true, reason: 'expired' },
    ]);
    expect(fs.existsSync(path.join(root, lock))).toBe(true);
    expect(await tools.unlock({ dryRun: false })).toHaveLength(1);
    expect(fs.existsSync(path.join(root, lock))).toBe(false);
    expect(fs.readFileSync(path.join(root, 'state/locks/recovery.audit.jsonl'), 'utf8')).toContain(
      '"reclaim_lock"',
    );
    expect(await tools.unlock({ dryRun: false })).toEqual([]);
  });
});

describe('board validate', () => {
  it('finds nothing on a board as docket leaves it, and on no board', async () => {
    const { tools, say } = desk();
    expect(await tools.validate()).toEqual([]);
    await tools.init({ settings: true, dryRun: false });
    await say('create task: one');
    expect(await tools.validate()).toEqual([]);
  });

  it('names every problem with its file and line, and changes nothing', async () => {
    const { tools, say, root, write, files } = desk();
    await say('create task: one');
    await say('create task: two');
    write('config/acceptance-policy.json', '{\n  "roles": {\n    "coder": {"all": []}}\n}');
    write('state/acceptance-policy.json', '{\n  "roles": {\n');
    write(
      'docs/protocol-config.json',
      '{\n  "intents": [\n    "fly"\n  ],\n  "orchestrator": {"maxConcurrentSpawns": 0}\n}',
    );
    write(
      'config/feishu-bot-openids.json',
      '{"byRole": {\n  "coder": {"open_id": "ou_1"},\n  "debugger": {"name": "d"}\n}}',
    );
    write('state/clarify.cooldown.json', '[]');
    write('state/locks/task-board.lock', JSON.stringify({ token: 't', expiresAtTs: 2 }));
    const [first, second] = fs.readFileSync(logOf(root), 'utf8').split('\n');
    write('state/tasks.jsonl', `${first}\n${second?.replace('two', 'zwei')}\n${first}\nno json\n{"torn`);
    const before = files();
    const found = await tools.validate();
    expect(found.map(({ path: file, line, severity }) => `${severity} ${file}:${line ?? ''}`)).toEqual([
      'note config/acceptance-policy.json:3',
      'error state/acceptance-policy.json:3',
      'error docs/protocol-config.json:3',
      'error docs/protocol-config.json:5',
      'error config/feishu-bot-openids.json:3',
      'error state/clarify.cooldown.json:1',
      'error state/tasks.jsonl:2',
      'warning state/tasks.jsonl:3',
      'error state/tasks.jsonl:4',
      'warning state/tasks.jsonl:5',
      'warning state/locks/task-board.lock:',
    ]);
    for (const { message, fix } of found) expect([message, fix]).not.toContain('');
    expect(files()).toEqual(before);
  });

  it('compares the snapshot with the log', async () => {
    const { tools, say, root, write } = desk();
    await say('create task: one');
    write('state/tasks.snapshot.json', fs.readFileSync(snapshotOf(root), 'utf8').replace('"one"', '"eins"'));
    expect(await tools.validate()).toMatchObject([
      {
        path: 'state/tasks.snapshot.json',
        message: 'the log says otherwise: T-001',
        fix: 'docket board rebuild',
      },
    ]);
    write('state/tasks.snapshot.json', '{"tas');
    expect(await tools.validate()).toMatchObject([{ message: 'it is not JSON with tasks' }]);
    fs.rmSync(snapshotOf(root));
    expect(await tools.validate()).toMatchObject([{ message: 'it is not there, though the log has tasks' }]);
  });
});
