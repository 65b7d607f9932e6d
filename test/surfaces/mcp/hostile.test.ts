import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { processRow } from '../../../src/io/process/table.ts';
import { scratch } from '../../support/scratch.ts';
import { bin, hello, Wire } from './support.ts';

const list = { method: 'tools/call', params: { name: 'docket_list', arguments: {} } };

describe('docket mcp', () => {
  it('answers what is no message with an error, and lives on', async () => {
    const wire = new Wire(scratch());
    wire.send('{"jsonrpc":', '[]', '"x"', { id: 5, method: 7 }, `{"junk":"${'x'.repeat(3 * 1024 * 1024)}"}`);
    const codes = [-32700, -32600, -32600, -32600, -32600];
    for (const code of codes) expect((await wire.next()).error?.code).toBe(code);
    wire.send({ id: 6, method: 'no/such/method' }, '', {
      ...hello,
      params: { ...hello.params, protocolVersion: '1' },
    });
    expect(await wire.next()).toMatchObject({ id: 6, error: { code: -32601 } });
    expect((await wire.next()).result?.protocolVersion).toMatch(/^20\d\d-/);
    wire.send({ id: 7, method: 'tools/call', params: { name: 7 } }, { id: 8, ...list });
    expect(await wire.next()).toMatchObject({ id: 7, error: { code: expect.any(Number) as number } });
    expect((await wire.next()).id).toBe(8);
    wire.child.stdin.end();
    expect(await wire.ended).toEqual([0, null]);
  });

  it('lets nobody call without end', async () => {
    const wire = new Wire(scratch()).send(hello);
    await wire.next();
    const texts: string[] = [];
    for (let id = 1; id <= 40; id += 1) {
      wire.send({ id, method: 'tools/call', params: { name: 'docket_claim', arguments: { id: 'T-1' } } });
      texts.push((await wire.next()).result?.content?.[0]?.text ?? '');
    }
    expect(texts[0]).toContain('NOT_FOUND');
    expect(JSON.parse(texts.at(-1) ?? '')).toMatchObject({
      error: { code: 'REFUSED', retryAfterSeconds: expect.any(Number) as number },
    });
    wire.send({ id: 99, ...list }); // looking has a larger share
    expect((await wire.next()).result?.isError).toBeUndefined();
  });

  it('answers what it has begun when stdin ends, and leaves no lock', async () => {
    const root = scratch();
    const call = { method: 'tools/call', params: { name: 'docket_create', arguments: { text: 'Fix it' } } };
    const wire = new Wire(root).send(hello, { id: 1, ...call });
    wire.child.stdin.end();
    expect((await wire.next()).id).toBe(0);
    expect(await wire.next()).toMatchObject({ id: 1 });
    expect((await wire.ended)[0]).toBe(0);
    const added = spawnSync(process.execPath, [bin, '--root', root, 'add', 'Another'], { encoding: 'utf8' });
    expect([added.status, added.stderr]).toEqual([0, '']);
  });

  it('ends the checks of a report with its client, and the task stays as it was', async () => {
    const root = scratch();
    const say = (text: string) =>
      spawnSync(process.execPath, [bin, '--root', root, 'say', text], { encoding: 'utf8' });
    say('create task: Fix it');
    for (const folder of ['config', 'src']) fs.mkdirSync(path.join(root, folder));
    fs.writeFileSync(path.join(root, 'src', 'a.ts'), ''); // evidence that is named has to exist
    const policy = { global: {}, roles: { claude: { verifyCommands: ['echo $$ > pid; exec sleep 300'] } } };
    fs.writeFileSync(path.join(root, 'config', 'acceptance-policy.json'), JSON.stringify(policy));
    const wire = new Wire(root, '--as', 'claude').send(hello);
    const report = { id: 'T-001', outcome: 'done', text: 'src/a.ts changed' };
    wire.send({ id: 1, method: 'tools/call', params: { name: 'docket_claim', arguments: { id: 'T-001' } } });
    await wire.next();
    await wire.next();
    const begun = new Promise<void>((resolve) => {
      const watcher = fs.watch(root, (_kind, name) => {
        if (name !== 'pid' || fs.readFileSync(path.join(root, 'pid'), 'utf8') === '') return;
        watcher.close();
        resolve();
      });
    });
    wire.send({ id: 2, method: 'tools/call', params: { name: 'docket_report', arguments: report } });
    await begun;
    const pid = Number(fs.readFileSync(path.join(root, 'pid'), 'utf8'));
    wire.child.kill('SIGTERM');
    expect((await wire.ended)[0]).toBe(0);
    expect(processRow(pid)).toBeUndefined();
    expect(say('status T-001').stdout).toContain('claude');
    expect(say('status T-001').stdout).not.toMatch(/blocked/i);
  });

  it('is refused the name of the one who answers for the board', () => {
    const args = [bin, 'mcp', '--root', scratch(), '--as', 'orchestrator'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', input: '' });
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--as');
  });
});
