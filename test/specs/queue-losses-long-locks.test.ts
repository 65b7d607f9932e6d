import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { ended, start } from '../support/child.ts';
import { exitOf } from '../support/kill-rounds.ts';
import { QueueProject } from '../support/queue-project.ts';
import { mirrorOf } from '../support/scratch.ts';
import { report } from '../support/shell-project.ts';

const lockOf = ({ root }: QueueProject): string => `${mirrorOf(root)}.lock`;

/** As if it had been there for so long. */
function age(file: string, seconds: number): void {
  const at = Date.now() / 1000 - seconds;
  fs.utimesSync(file, at, at);
}

function impatient(): QueueProject {
  const project = new QueueProject(report());
  project.configure({ lockWaitSeconds: 1 });
  project.records([{ name: 'old' }]);
  return project;
}

describe('a docket suspended in the middle of a write', { timeout: 60_000 }, () => {
  it.each([
    ['before write', 'journal\\.jsonl$'],
    ['after write', 'journal\\.jsonl$'],
    ['after link', 'tasks\\.yaml\\.lock$'],
    ['before write', '\\.tasks\\.yaml\\.docket-tmp$'],
    ['before rename', '/tasks\\.yaml$'],
    ['after rename', '/tasks\\.yaml$'],
    ['before unlink', 'tasks\\.yaml\\.lock$'],
  ])('%s %s: the others are told to wait, and nothing is lost', async (call, pattern) => {
    const project = impatient();
    const first = await project.paused(call, pattern, 'add', 'first please', '--name', 'first');
    const exit = exitOf(first);
    if (fs.existsSync(lockOf(project))) age(lockOf(project), 60);
    expect((await project.docket('list')).code).toBe(0);
    const { code, out } = await project.docket('add', 'second please', '--name', 'second', '--json');
    expect(code).toBe(75);
    expect((JSON.parse(out) as { error: { code: string } }).error.code).toBe('LOCK_TIMEOUT');
    first.kill('SIGCONT');
    expect(await exit).toBe(0);
    expect((await project.docket('add', 'second please', '--name', 'second')).code).toBe(0);
    expect(project.rawRecords().map(({ name }) => name)).toEqual(['old', 'first', 'second']);
    expect((await project.docket('run')).code).toBe(0);
    expect(project.begun()).toEqual(['old', 'first', 'second']);
    expect(fs.existsSync(lockOf(project))).toBe(false);
  });

  it('loses nothing of another tool that took the old lock for stale', async () => {
    const project = impatient();
    const call = ['before open', '\\.tasks\\.yaml\\.docket-tmp$'] as const;
    const first = await project.paused(...call, 'add', 'first please', '--name', 'first');
    const exit = exitOf(first);
    // The other tool's rule: what is older than 30 s counts for nothing.
    fs.rmSync(lockOf(project));
    const [record] = project.rawRecords();
    fs.writeFileSync(lockOf(project), String(process.pid));
    const theirs = {
      ...record,
      name: 'theirs',
      content: 'theirs please',
      created_at: '2026-04-01T08:00:00Z',
    };
    project.write('.takt/their-tmp', stringify({ tasks: [record, theirs] }));
    fs.renameSync(`${project.root}/.takt/their-tmp`, mirrorOf(project.root));
    fs.rmSync(lockOf(project));
    first.kill('SIGCONT');
    expect(await exit).toBe(0);
    expect((await project.docket('run')).code).toBe(0);
    expect(project.begun().toSorted()).toEqual(['first', 'old', 'theirs']);
    expect(project.statusByName()).toEqual({ old: 'completed', first: 'completed', theirs: 'completed' });
  });

  it('that runs tasks keeps them, and another run does not start them', async () => {
    const project = new QueueProject(report());
    project.configure({ lockWaitSeconds: 1 });
    project.records(['one', 'two', 'three'].map((name) => ({ name })));
    const first = await project.paused('before unlink', 'tasks\\.yaml\\.lock$', 'run');
    const exit = exitOf(first);
    expect((await project.docket('run')).code).toBe(75);
    first.kill('SIGCONT');
    expect(await exit).toBe(0);
    expect((await project.docket('run')).code).toBe(0);
    expect(project.begun()).toEqual(['one', 'two', 'three']);
    expect(project.events('task.done')).toHaveLength(3);
  });
});

describe("a lock file that is nobody's", { timeout: 60_000 }, () => {
  it.each([
    ['garbage', () => 'who am I?\0'],
    ['nothing', () => ''],
    ['the pid of a foreign live process', () => String(start('sleep', ['600'], { stdio: 'ignore' }).pid)],
  ])('with %s in it: every command works, and the file follows', async (_what, content) => {
    const project = impatient();
    const before = project.yaml();
    fs.writeFileSync(lockOf(project), content());
    expect((await project.docket('list')).code).toBe(0);
    expect((await project.docket('add', 'new please', '--name', 'new')).code).toBe(0);
    expect((await project.docket('run')).code).toBe(0);
    expect(project.begun()).toEqual(['old', 'new']);
    expect((await project.docket('list', '--json')).out).not.toContain('"queued"');
    // While it may be somebody's, the file is left alone; then it is brought up to date.
    expect(project.yaml()).toBe(before);
    age(lockOf(project), 31);
    expect((await project.docket('add', 'last please', '--name', 'last')).code).toBe(0);
    expect(project.statusByName()).toEqual({ old: 'completed', new: 'completed', last: 'pending' });
    expect(fs.existsSync(lockOf(project))).toBe(false);
  });

  it('of a dead process, with twelve who wait for it: all are kept', async () => {
    const project = new QueueProject(report());
    project.records([{ name: 'old' }]);
    const dead = spawn('true');
    await once(dead, 'exit');
    fs.writeFileSync(lockOf(project), String(dead.pid));
    const names = Array.from({ length: 12 }, (_, index) => `new-${index}`);
    const adds = names.map((name) => ended(project.start('add', `${name} please`, '--name', name)));
    expect((await Promise.all(adds)).map(({ code }) => code)).toEqual(names.map(() => 0));
    const found = project.rawRecords().map(({ name }) => name);
    expect(found.toSorted()).toEqual(['old', ...names].toSorted());
    expect(fs.existsSync(lockOf(project))).toBe(false);
  });
});
