import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { PacketProject } from '../support/packet-project.ts';
import { until } from '../support/project.ts';

describe('what git sees of packets', () => {
  const untracked = (project: PacketProject) =>
    project.git('status', '--porcelain', '--untracked-files=all').trimEnd().split('\n');

  it("is people's settings and templates, and the work", async () => {
    const project = new PacketProject();
    project.write('.gitignore', '');
    project.git('commit', '--quiet', '-am', 'ignore nothing');
    project.put('.docket/prompts/packet/review.md', '# Role: review\n');
    project.put('.docket/prompts/packet/codex/fix.md', 'Mend it.\n');
    await project.make('safe_impl');
    expect((await project.run()).status).toBe('done');
    await (await project.packets()).archive(['p-1'], { dryRun: false });
    await project.make('safe_impl');
    expect(untracked(project)).toEqual([
      ' M src/app.txt',
      '?? .docket/.gitignore',
      '?? .docket/config.yaml',
      '?? .docket/prompts/packet/codex/fix.md',
      '?? .docket/prompts/packet/review.md',
    ]);
  });

  it('is what people want it to see: their folder stays as it is', async () => {
    const project = new PacketProject();
    fs.mkdirSync(path.join(project.root, '.tmp', 'task'), { recursive: true });
    await project.make('review_only');
    expect(untracked(project)).toContain('?? .tmp/task/p-1/manifest.yaml');
  });
});

describe('the stages of a packet', () => {
  const all = ['gemini_brief', 'codex_impl', 'codex_verify', 'gemini_review'];

  it('are known before it runs', async () => {
    const project = await PacketProject.with('safe_impl');
    const packets = await project.packets();
    const pending = all.map((stage) => ({ stage, state: 'pending', reasons: [] }));
    expect((await packets.show('p-1')).stages).toEqual(pending);
    expect((await packets.list()).packets[0]?.stages).toEqual(pending);
    project.set('intent', 'nothing_such');
    expect(await packets.show('p-1')).toMatchObject({ status: 'queued', stages: [] });
  });

  it('say which one a kill cut short', async () => {
    const project = await PacketProject.with('safe_impl', { codex_impl: [{ hang: true }] });
    const docket = project.start('packet', 'run', 'p-1');
    await until('codex works', () => project.called().includes('codex_impl'));
    docket.kill('SIGKILL');
    await new Promise((resolve) => docket.once('close', resolve));
    expect(await project.states()).toMatchObject({
      gemini_brief: 'done',
      codex_impl: 'interrupted',
      codex_verify: 'pending',
    });
  });
});
