import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { answerOf } from '../bin/packet-cli/answers.mjs';
import { PacketProject } from '../support/packet-project.ts';

const at = (project: PacketProject, ...names: string[]): string => path.join(project.root, ...names);

async function finished(): Promise<PacketProject> {
  const project = await PacketProject.with('review_only');
  await project.run();
  return project;
}

describe('a packet that is put away', () => {
  it('moves whole, and never over another', async () => {
    const project = await finished();
    const packets = await project.packets();
    const isCopied = (name: string) => name !== 'outputs/_summary.md'; // it says where the packet is now
    const files = project
      .files()
      .filter(isCopied)
      .map((name) => [name, project.text(name)]);
    expect(await packets.archive(['p-1'], { dryRun: true })).toEqual(['p-1']);
    expect(project.files()).toHaveLength(files.length + 1);
    expect(await packets.archive(['p-1'], { dryRun: false })).toEqual(['p-1']);
    expect(fs.existsSync(project.dir)).toBe(false);
    for (const [name = '', text] of files) expect(project.read(`.tmp/archive/p-1/${name}`)).toBe(text);
    expect(project.read('.tmp/archive/p-1/outputs/_summary.md')).toMatch(/^next_action: none$/m);
  });

  it('gets a number when the archive has one of its id', async () => {
    const project = await finished();
    const packets = await project.packets();
    await packets.archive(['p-1'], { dryRun: false });
    for (const goal of ['The second', 'The third']) {
      await project.make('review_only', { goal });
      expect((await project.run()).status).toBe('done');
      expect(await packets.archive(['p-1'], { dryRun: false })).toEqual(['p-1']);
      expect(fs.existsSync(project.dir)).toBe(false);
    }
    const { packets: archived, findings } = await packets.list({ archived: true });
    expect(findings).toEqual([]);
    expect(archived.map(({ id, goal, status, dir }) => [id, goal, status, dir])).toEqual([
      ['p-1', 'Greet politely', 'done', '.tmp/archive/p-1'],
      ['p-1.2', 'The second', 'done', '.tmp/archive/p-1.2'],
      ['p-1.3', 'The third', 'done', '.tmp/archive/p-1.3'],
    ]);
    expect(await packets.show('p-1.3')).toMatchObject({ goal: 'The third', archived: true });
  });

  it('is old enough, done, and not one that is to be kept', async () => {
    const project = await finished();
    for (const id of ['p-2', 'p-3']) {
      project.id = id;
      await project.make('review_only');
    }
    project.edit('manifest.yaml', (text) => `${text}retention: keep\n`);
    await project.run();
    const packets = await project.packets();
    expect(await packets.archive({ olderThanDays: 1 }, { dryRun: true })).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await packets.archive({ olderThanDays: 0 }, { dryRun: true })).toEqual(['p-1']);
    expect(await packets.archive({ olderThanDays: 0 }, { dryRun: false })).toEqual(['p-1']);
    expect(fs.readdirSync(at(project, '.tmp/task')).toSorted()).toEqual(['.gitignore', 'p-2', 'p-3']);
  });
});

describe('a packet in the archive', () => {
  it('is shown and listed from there, and not run', async () => {
    const project = await finished();
    const packets = await project.packets();
    await packets.archive(['p-1'], { dryRun: false });
    const there = { id: 'p-1', status: 'done', dir: '.tmp/archive/p-1', archived: true };
    expect(await packets.show('p-1')).toMatchObject(there);
    expect((await packets.list()).packets).toEqual([]);
    expect((await packets.list({ archived: true })).packets).toMatchObject([there]);
    await expect(project.run()).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'packet p-1 is archived: it lies in .tmp/archive/p-1',
    });
    // One that is worked on goes before it.
    await project.make('review_only');
    expect(await packets.show('p-1')).toMatchObject({ status: 'queued', dir: '.tmp/task/p-1' });
  });

  it('was finished, or somebody insisted', async () => {
    const project = await PacketProject.with('review_only', { gemini_review: [{ say: 'Nothing.' }] });
    const packets = await project.packets();
    const refusal = (message: string) => ({
      code: 'REFUSED',
      message,
      fix: expect.stringContaining('--force'),
    });
    const archive = (force: boolean) => packets.archive(['p-1'], { dryRun: false, force });
    await expect(archive(false)).rejects.toMatchObject(refusal('packet p-1 is queued, not finished'));
    await project.run();
    await expect(archive(false)).rejects.toMatchObject(refusal('packet p-1 is failed, not finished'));
    expect(await archive(true)).toEqual(['p-1']);
    expect(await packets.show('p-1')).toMatchObject({ status: 'failed', archived: true });
  });
});

describe('a packet that is deleted', () => {
  it('goes with what its agents printed, and only when it is meant', async () => {
    const project = await finished();
    const packets = await project.packets();
    const { files } = await packets.remove('p-1', true);
    expect(files).toBeGreaterThan(10);
    expect(fs.existsSync(at(project, '.docket/packet/p-1/attempts'))).toBe(true);
    expect(await packets.remove('p-1', false)).toEqual({ files });
    expect([project.dir, at(project, '.docket/packet/p-1')].filter((place) => fs.existsSync(place))).toEqual(
      [],
    );
  });

  it('is not one that is worked on, nor one that is not there', async () => {
    const project = await PacketProject.with('review_only', { gemini_review: [{ hang: true }] });
    const stop = new AbortController();
    const packets = await project.packets();
    const begun = new Promise<void>((resolve) => {
      void project.run({ signal: stop.signal, onProgress: () => resolve() });
    });
    await begun;
    await expect(packets.remove('p-1', false)).rejects.toMatchObject({ code: 'REFUSED' });
    await expect(packets.archive(['p-1'], { dryRun: false })).rejects.toMatchObject({ code: 'REFUSED' });
    await expect(packets.remove('p-9', false)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(packets.remove('../p-1', false)).rejects.toMatchObject({ code: 'INVALID' });
    stop.abort('shutdown');
  });
});

describe('a review of finished work', () => {
  it('is a packet of its own, and its results are copied out', async () => {
    const say = answerOf('review').replace('None.', '- [HIGH] src/app.txt:1: it is rude');
    const project = new PacketProject({ gemini_review: [{ say }] });
    project.put(
      'pack.md',
      '## 3. Acceptance Criteria\n\n### Verify Commands\n\n```sh\ntest -e src/app.txt\n```\n',
    );
    project.put('report.md', '# What I did\n\nI made it polite.\n');
    const packets = await project.packets();
    const ran = await packets.review({
      contextPack: at(project, 'pack.md'),
      report: at(project, 'report.md'),
      out: at(project, '.tmp/post-impl'),
      signal: AbortSignal.timeout(60_000),
    });
    expect(ran.status).toBe('done');
    expect(ran.intent).toBe('post_impl_review');
    expect(fs.readdirSync(ran.results).toSorted()).toEqual([
      'codex_precision_review.md',
      'dispatch_summary.md',
      'gemini_review.md',
      'summary.md',
      'test_implementation_report.md',
      'test_matrix.md',
      'verification_checklist.md',
      'verification_report.md',
    ]);
    const summary = fs.readFileSync(path.join(ran.results, 'summary.md'), 'utf8');
    expect(summary).toContain('Status: done\n');
    expect(summary).toContain('- [HIGH] src/app.txt:1: it is rude (gemini_review.md)\n');
    expect(summary).toContain('- test_matrix.md\n');
    expect(project.git('status', '--porcelain', '--ignored=no')).not.toContain('.tmp');
    const [first] = project.calls();
    expect(first?.prompt).toContain('I made it polite.');
    project.id = ran.id;
    expect(project.text('outputs/codex_verify.artifact.md')).toContain('## Command: `test -e src/app.txt`');
    await expect(
      packets.review({
        contextPack: 'none.md',
        report: 'none.md',
        out: '.',
        signal: AbortSignal.timeout(1000),
      }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
