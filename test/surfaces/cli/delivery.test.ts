import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDocket } from '../../../src/project/docket.ts';
import { hook } from '../../support/hook.ts';
import { scratch } from '../../support/scratch.ts';
import { report, ShellProject } from '../../support/shell-project.ts';

type Answer = Record<string, unknown>;

/** A project whose agent writes a file and counts its calls. */
class Delivering extends ShellProject {
  constructor() {
    super(`echo call >> "$CUES/calls"\necho work > work.txt\n${report()}`);
  }

  get calls(): number {
    return fs.readFileSync(path.join(this.cues, 'calls'), 'utf8').trim().split('\n').length;
  }

  origin(): void {
    const origin = path.join(scratch(), 'origin.git');
    this.git('init', '--quiet', '--bare', origin);
    this.git('remote', 'add', 'origin', origin);
  }

  gh(script: string): void {
    const bin = path.join(this.home, 'bin');
    fs.mkdirSync(bin, { recursive: true });
    const text = `#!/bin/sh\n[ "$2" = list ] && exit 0\n${script}\n`;
    fs.writeFileSync(path.join(bin, 'gh'), text, { mode: 0o755 });
    this.env['PATH'] = `${bin}:${process.env['PATH'] ?? ''}`;
  }

  async answer(...args: string[]): Promise<{ code: number | null; answer: Answer }> {
    const { code, out } = await this.docket(...args, '--json');
    return { code, answer: JSON.parse(out) as Answer };
  }

  async text(...args: string[]): Promise<string> {
    return (await this.docket(...args)).out;
  }
}

const reason = 'there is no remote "origin" (add one: git remote add origin <url>)';
const containing = (text: string) => expect.stringContaining(text) as string;

describe('a delivery that failed', { timeout: 60_000 }, () => {
  it('is said by every command, and a retry delivers without another call of the agent', async () => {
    const project = new Delivering();
    await project.docket('add', 'one please', '--name', 'one', '--worktree', '--auto-pr');
    const run = await project.docket('run');
    expect([run.code, run.out]).toEqual([5, containing(`delivery failed: ${reason}`)]);
    expect(await project.text('list')).toContain(`[delivery failed: ${reason}`);
    expect(await project.text('status')).toMatch(
      /Needs you \(1\)[^]*docket retry one[^]*done, delivery failed/,
    );
    expect(await project.text('needs-me')).toMatch(
      /docket retry one .*done, delivery failed: there is no remote/,
    );
    expect(await project.text('explain', 'one')).toMatch(
      /why: done, delivery failed: .*\nwhose turn: a person/,
    );
    expect(await project.text('show', 'one')).toMatch(/^status: done, delivery failed$[^]*docket retry one/m);
    expect(project.read('.takt/tasks.yaml')).toMatch(/status: failed[^]*error: "there is no remote/);
    const delivery = { state: 'failed', cause: 'push', reason };
    expect((await project.answer('list')).answer).toMatchObject({ tasks: [{ status: 'done', delivery }] });
    expect((await project.answer('show', 'one')).answer).toMatchObject({ task: { delivery } });
    expect(await project.answer('run', 'one')).toMatchObject({
      code: 5,
      answer: { ok: false, error: { message: 'a person must act: one (done, delivery failed)' } },
    });
    expect(await project.answer('run')).toMatchObject({
      code: 5,
      answer: { ok: false, tasks: [], error: { message: containing('one (done, delivery failed)') } },
    });
    // Nothing has changed yet: it fails again, and says so.
    expect(await project.answer('retry', 'one')).toMatchObject({
      code: 5,
      answer: { ok: false, error: { code: 'NEEDS_PERSON', fix: 'fix the cause, then: docket retry one' } },
    });
    project.origin();
    project.gh('exit 1');
    expect(await project.answer('retry', 'one')).toMatchObject({
      code: 5,
      answer: { error: { data: { delivery: { cause: 'proposal' } } } },
    });
    project.gh('echo https://example.com/pull/7');
    expect((await project.docket('retry', 'one', '--note', 'x')).code).toBe(4);
    expect(await project.text('retry', 'one')).toBe('one is done, pull request https://example.com/pull/7\n');
    expect(project.calls).toBe(1);
    expect(await project.answer('needs-me')).toMatchObject({ code: 0, answer: { needs: [] } });
    expect(project.read('.takt/tasks.yaml')).toContain('status: completed');
    expect((await project.docket('run', 'one')).code).toBe(0);
    expect((await project.docket('retry', 'one')).code).toBe(4); // it is done
  });

  it('is told to people once', async () => {
    const out = await hook();
    const project = new Delivering();
    const config = JSON.parse(project.read('.docket/config.yaml')) as object;
    project.write('.docket/config.yaml', JSON.stringify({ ...config, notify: { webhook: out.url } }));
    await project.docket('add', 'one please', '--name', 'one', '--worktree', '--auto-pr');
    const env = { ...project.env, DOCKET_STATE: path.join(project.home, 'state') };
    for (const _ of [1, 2]) {
      const docket = await openDocket({ cwd: project.root, root: project.root, env });
      await docket.run({ signal: new AbortController().signal });
      await docket.close();
    }
    expect(out.got.map(({ text }) => text)).toEqual([
      containing('queue one: done, delivery failed: there is no'),
    ]);
  });
});
