import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { notedOf } from '../../src/kinds/queue/format/record.ts';
import { openDocket, type AddInput, type Docket } from '../../src/project/docket.ts';
import type { Task } from '../../src/task/schema.ts';
import { PacketProject, polite, type Scenario } from '../support/packet-project.ts';
import { until } from '../support/project.ts';

const never = new AbortController().signal;

/** A record of the queue whose work a packet does. */
class QueuedPacket extends PacketProject {
  async use<T>(what: (docket: Docket) => Promise<T>): Promise<T> {
    const docket = await openDocket({ cwd: this.root, root: this.root, env: this.env });
    try {
      return await what(docket);
    } finally {
      await docket.close();
    }
  }

  /** From here on `id` is its packet's. */
  async add(more: Partial<AddInput> = {}): Promise<string> {
    const input = { text: 'Greet politely', packet: 'safe_impl', worktree: true as const, ...more };
    const { id } = await this.use((docket) => docket.add(input));
    this.id = `${id}.packet`;
    return id;
  }

  async go(signal = never): Promise<Task | undefined> {
    await this.use((docket) => docket.run({ signal }));
    const [task] = (await this.use((docket) => docket.list({}))).tasks;
    return task;
  }
}

function withPacket(scenario: Scenario = {}): QueuedPacket {
  const at = new QueuedPacket(scenario);
  const known = JSON.parse(at.read('.docket/config.yaml')) as object;
  at.write(
    '.docket/config.yaml',
    JSON.stringify({ ...known, acceptance: ['grep -q day src/app.txt'], budgets: { unknownPrice: 'allow' } }),
  );
  at.git('commit', '--allow-empty', '--quiet', '-m', 'settings');
  return at;
}

describe('a record of the queue that a packet does', () => {
  it('ends with it, in its own clone, within what the record may use', async () => {
    const at = withPacket();
    const id = await at.add({ budget: { calls: 7, money: 2 } });
    const task = await at.go();
    expect(task).toMatchObject({
      id,
      status: 'done',
      summary: expect.stringContaining('Greet politely') as string,
    });
    expect(at.called()).toEqual(['gemini_brief', 'codex_impl', 'codex_verify', 'gemini_review']);
    expect(at.text('manifest.yaml')).toMatch(/paid_call_budget: 7[^]*cost_usd: 2/);
    expect(at.text('manifest.yaml')).toContain('grep -q day src/app.txt');
    // In the clone, and from there onto the record's branch.
    expect(at.read('src/app.txt')).toBe('Hi\n');
    const { branch = '' } = notedOf(task as Task);
    expect(at.git('show', `${branch}:src/app.txt`)).toBe('Good day\n');
    const packet = await (await at.packets()).show(at.id);
    expect(packet).toMatchObject({
      status: 'done',
      task: { standsFor: { layout: 'queue', id, step: 'packet' } },
    });
    expect(task?.run?.states['packet']?.report).toMatchObject({
      evidence: [{ ref: `.tmp/task/${at.id}/outputs/_summary.md` }, { ref: 'grep -q day src/app.txt' }],
    });
  });

  it('fails with its packet, and goes on with it', async () => {
    const at = withPacket({ codex_impl: [{ edit: { 'src/app.txt': 'Hm\n' }, say: 'So.' }, polite] });
    const id = await at.add();
    expect(await at.go()).toMatchObject({
      status: 'failed',
      failure: { error: expect.stringContaining(at.id) as string },
    });
    await (await at.packets()).run(at.id, { signal: never, from: 'codex_impl' }); // by hand, in the record's clone
    expect(at.read('src/app.txt')).toBe('Hi\n');
    const before = at.called().length;
    await at.use(async (docket) => docket.act('retry', [id], { by: 'ann' }));
    expect(await at.go()).toMatchObject({ status: 'done' });
    expect(at.called()).toHaveLength(before);
  });

  it('goes on with the same packet after a kill, and pays for nothing twice', async () => {
    const at = withPacket({ codex_impl: [{ shell: 'sleep 1', ...polite }] });
    await at.add();
    const docket = at.start('run');
    await until('the second stage is at work', () => at.called().length === 2);
    docket.kill('SIGKILL');
    await once(docket, 'exit');
    expect(await at.go()).toMatchObject({ status: 'done' });
    expect(at.called()).toEqual(['gemini_brief', 'codex_impl', 'codex_verify', 'gemini_review']);
  });

  it('is not run by anybody else meanwhile', async () => {
    const at = withPacket();
    const stop = new AbortController();
    await at.add();
    at.play({ codex_impl: [{ hang: true }] });
    const going = at.go(stop.signal);
    await until('the second stage is at work', () => at.called().length === 2);
    stop.abort('shutdown');
    expect(await going).toMatchObject({ status: 'queued' });
    const { findDue } = await import('../../src/project/due-source.ts');
    const where = { root: at.root, env: at.env, clock: { now: () => Date.now() }, warn: () => undefined };
    expect((await findDue(where)).due).toEqual([]);
    at.play({});
    expect(await at.go()).toMatchObject({ status: 'done' });
    expect(at.called().filter((stage) => stage === 'gemini_brief')).toHaveLength(1);
  });

  it('waits with it for a person, and needs a program that is there', async () => {
    const at = withPacket();
    fs.rmSync(path.join(at.env['PATH']?.split(':')[0] ?? '', 'gemini'));
    await at.add();
    expect(await at.go()).toMatchObject({
      status: 'blocked',
      reason: { text: expect.stringContaining('gemini') as string },
    });
    expect(at.called()).toEqual([]);
  });

  it('is refused for an intent that nobody knows', async () => {
    const at = withPacket();
    await expect(at.add({ packet: 'safe_imp' })).rejects.toMatchObject({ code: 'INVALID' });
    await expect(at.add({ agent: 'codex' })).rejects.toThrow('--packet and --agent contradict each other');
  });
});
