import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useIfFree } from '../../../src/engine/environment/use.ts';
import type { CleanInput } from '../../../src/kinds/queue/finished.ts';
import { diskUse } from '../../../src/project/disk.ts';
import { Finished } from '../../support/finished.ts';
import { put } from '../../support/workspaces.ts';

const megabyte = 1_000_000;

/** So many megabytes that git ignores: what makes workspaces large. */
function fill(cwd: string, megabytes: number): void {
  put(cwd, '.takt/big', 'x'.repeat(megabytes * megabyte));
}

/** A finished task with a workspace of some size. Without files of its own there is nothing that could be lost. */
async function finished(project: Finished, name: string, megabytes: number, file?: string): Promise<string> {
  await project.done(name, file === undefined ? {} : { [file]: `${name}\n` });
  const cwd = (await project.noted(name)).workspace ?? '';
  fill(cwd, megabytes);
  return cwd;
}

async function clean(project: Finished, input: Partial<CleanInput>) {
  const cleaned = await project.work.clean({ dryRun: false, by: 'ann', ...input });
  return { ...cleaned, said: cleaned.workspaces.map(({ name, action, why }) => `${action} ${name}: ${why}`) };
}

describe('docket clean', { timeout: 60_000 }, () => {
  it('keeps one that has a queue of its own', async () => {
    const project = new Finished();
    const cwd = await finished(project, 'one', 1);
    put(cwd, '.docket/queue/journal.jsonl', '');
    put(cwd, '.takt/tasks.yaml', 'tasks: []\n');
    expect((await clean(project, { olderThanMs: 0 })).said).toEqual([
      `keep one: ${cwd} has a queue of its own: see it with docket list --root ${cwd}, and move ${cwd}/.docket/queue and ${cwd}/.takt away when nothing there is missing`,
    ]);
    expect(fs.existsSync(path.join(cwd, '.docket/queue/journal.jsonl'))).toBe(true);
  });

  it('takes the oldest safe ones until all together are small enough, and names what it keeps', async () => {
    const project = new Finished();
    const unsafe = await finished(project, 'one', 2, 'new.txt');
    const [second, third] = [await finished(project, 'two', 2), await finished(project, 'three', 2)];
    await project.add('four');
    const running = await project.claimed('four', (cwd) => fill(cwd, 2)); // it counts, and is nobody's to take
    const input = { maxBytes: 7 * megabyte };
    const planned = await clean(project, { ...input, dryRun: true });
    expect(planned.said).toEqual([
      expect.stringMatching(/^keep one: the branch ".+" \(.+\) is neither merged nor pushed$/),
      'remove two: all together are too large',
    ]);
    expect(planned.workspaces[0]?.fix).toBe('docket merge one, or docket delete one --keep-as one');
    expect(fs.existsSync(second)).toBe(true);
    const done = await clean(project, input);
    expect(done.workspaces).toEqual(planned.workspaces);
    expect([done.bytesBefore, done.bytesAfter]).toEqual([planned.bytesBefore, planned.bytesAfter]);
    expect(done.bytesAfter).toBeLessThanOrEqual(7 * megabyte);
    const places = [unsafe, second, third, running];
    expect(places.map((cwd) => fs.existsSync(cwd))).toEqual([true, false, true, true]);
    // The record and the branch stay, and nothing says that there is a workspace.
    expect(await project.get('two')).toMatchObject({ status: 'done' });
    const { branch, workspace } = await project.noted('two');
    expect([project.branches().includes(branch ?? ''), workspace]).toEqual([true, undefined]);
    // One that docket was taking away when it died.
    const gone = path.join(path.dirname(third), '.docket-gone.three.x');
    fs.renameSync(third, gone);
    const rest = await clean(project, { maxBytes: 1 * megabyte });
    expect(rest.said.map((line) => line.split(':')[0])).toEqual(['keep one', 'remove three']);
    expect(rest.bytesAfter).toBeGreaterThan(1 * megabyte);
    expect(fs.existsSync(gone)).toBe(false);
  });

  it('keeps what is in use, has work in it, or whose teardown fails', async () => {
    const project = new Finished({ setup: { teardown: ['echo "still up"; [ -e .takt/mended ]'] } });
    const [dirty, stood, used, torn] = [
      await finished(project, 'dirty', 0),
      await finished(project, 'stood', 0),
      await finished(project, 'used', 0),
      await finished(project, 'torn', 0),
    ];
    put(dirty, 'new.txt', 'x');
    const child = spawn('sleep', ['600'], { cwd: stood });
    onTestFinished(() => void child.kill('SIGKILL'));
    const use = useIfFree(project.root, 'queue-used');
    const record = { copied: '', commands: '', done: 0 };
    put(project.place('.docket/setup/queue-torn'), 'made.json', JSON.stringify(record));
    const first = await clean(project, { olderThanMs: 0 });
    expect(first.said).toEqual([
      expect.stringContaining('keep dirty: 1 file is not committed: new.txt'),
      expect.stringContaining(`keep stood: process ${child.pid} (sleep) is at work in ${stood}`),
      expect.stringContaining('keep used: the workspace of used is in use'),
      expect.stringContaining('still up'),
    ]);
    use?.release();
    put(torn, '.takt/mended', '');
    const second = await clean(project, { olderThanMs: 0 });
    expect(second.said.map((line) => line.split(':')[0])).toEqual([
      'keep dirty',
      'keep stood',
      'remove used',
      'remove torn',
    ]);
    expect(fs.existsSync(used)).toBe(false);
    expect(fs.existsSync(project.place('.docket/setup/queue-torn'))).toBe(false);
  });

  it('suggests to merge edits by hand, but not what is merged', async () => {
    const project = new Finished();
    const [merged, dirty] = [
      await finished(project, 'one', 0, 'a-1.txt'),
      await finished(project, 'two', 0, 'a-2.txt'),
    ];
    expect(project.states(await project.merge('one'))).toEqual({ one: 'merged' });
    for (const cwd of [merged, dirty]) put(cwd, 'later.txt', 'x');
    const { workspaces } = await clean(project, { olderThanMs: 0 });
    expect(workspaces.map(({ action, fix }) => [action, fix])).toEqual([
      ['keep', 'docket delete one --keep-as one'],
      ['keep', 'docket merge two, or docket delete two --keep-as two'],
    ]);
  });

  it('does what the settings say, and asks where they say nothing', async () => {
    const project = new Finished();
    await expect(clean(project, {})).rejects.toMatchObject({ code: 'USAGE' });
    project.write('.docket/config.yaml', JSON.stringify({ retention: { workspaces: { days: 14 } } }));
    await finished(project, 'one', 0);
    expect((await clean(project, {})).said).toEqual([]);
    expect((await clean(project, { olderThanMs: 0 })).said).toEqual(['remove one: ended 0 days ago']);
  });
});

describe('docket disk', () => {
  it('says what each task takes up, and where', async () => {
    const project = new Finished();
    const cwd = await finished(project, 'one', 2);
    put(project.place('.docket/queue/attempts/one'), 'work-1/1/events.jsonl', 'x'.repeat(5000));
    put(project.place('.docket/queue/attempts/gone'), 'work-1/1/events.jsonl', 'x'.repeat(20_000));
    put(project.place('.tmp/task/p-1'), 'manifest.json', '{}');
    fs.symlinkSync('/usr', path.join(cwd, '.takt/usr'));
    const uses = await diskUse(project.places);
    expect(uses.map(({ layout, id, name, status }) => [layout, id, name, status])).toEqual([
      ['queue', 'one', 'one', 'done'],
      ['queue', 'gone', undefined, undefined],
      ['packet', 'p-1', undefined, undefined],
    ]);
    expect(uses[0]?.parts.map(({ kind, path: at }) => [kind, at])).toEqual([
      ['workspace', cwd],
      ['attempts', project.place('.docket/queue/attempts/one')],
    ]);
    expect(uses[0]?.bytes).toBeGreaterThan(2 * megabyte);
    expect(uses[0]?.bytes).toBeLessThan(10 * megabyte);
  });
});
