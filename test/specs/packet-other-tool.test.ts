import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { PacketProject } from '../support/packet-project.ts';

/** What another dispatcher leaves when it has done these stages, and paid for so many calls in total. */
function doneElsewhere(
  project: PacketProject,
  stages: readonly string[],
  paid: number,
  at = Date.now(),
): void {
  const time = `${new Date(at).toISOString().slice(0, 19)}Z`;
  for (const name of ['done', 'outputs', 'state'])
    fs.mkdirSync(path.join(project.dir, name), { recursive: true });
  for (const stage of stages) {
    const tool = stage.split('_', 1)[0] ?? '';
    project.edit(`done/${stage}.done`, () => `${time}\n`);
    project.edit(`outputs/${stage}.${tool}.out`, () => 'Something.\n');
    const meta = { stage, tool, exit_code: 0, start: time, end: time, duration_sec: 2, prompt_sha256: 'ab' };
    project.edit(`outputs/${stage}.${tool}.meta.json`, () => JSON.stringify(meta, undefined, 2));
  }
  const stats = { paid_calls_used: paid, stages_completed: stages };
  project.edit('state/stats.json', () => JSON.stringify(stats, undefined, 2));
}

const all = ['gemini_brief', 'codex_impl', 'codex_verify', 'gemini_review'];

describe('a packet that another dispatcher has begun', () => {
  it('is shown as it is, and run from the first stage that is not done', async () => {
    const project = await PacketProject.with('safe_impl');
    project.put('src/app.txt', 'Good day\n');
    doneElsewhere(project, all.slice(0, 2), 3);
    const marker = project.text('done/codex_impl.done');
    const meta = project.text('outputs/codex_impl.codex.meta.json');
    const packets = await project.packets();
    const other = { state: 'done', reasons: ['done by another tool'] };
    expect(await packets.show('p-1')).toMatchObject({
      status: 'queued',
      calls: { used: 3 },
      stages: [other, other, { state: 'pending' }, { state: 'pending' }],
    });
    expect((await packets.plan('p-1', {})).stages.map(({ runs, why }) => [runs, why])).toEqual([
      [false, 'done by another tool'],
      [false, 'done by another tool'],
      [true, 'it has not run yet'],
      [true, 'it has not run yet'],
    ]);
    expect(await project.run()).toMatchObject({
      status: 'done',
      calls: { used: 5 },
      stages: [other, other, {}, {}],
    });
    expect(project.called()).toEqual(all.slice(2));
    expect(project.data('state/stats.json')).toMatchObject({ paid_calls_used: 5, stages_completed: all });
    expect(project.text('done/codex_impl.done')).toBe(marker);
    expect(project.text('outputs/codex_impl.codex.meta.json')).toBe(meta);
    expect(project.text('outputs/_summary.md')).toContain(
      'codex_impl (codex/impl) — done\n- done by another tool\n',
    );
    // Taken over once: what docket does from here on is docket's.
    project.put('src/app.txt', 'Hi\n');
    expect((await project.run({ from: 'codex_impl' })).status).toBe('done');
    expect(project.called().slice(2)).toEqual(all.slice(1));
  });

  it('is worked on by turns, and nothing is paid twice', async () => {
    const project = await PacketProject.with('safe_impl', { codex_verify: [{ say: '## Status\nFAIL\n' }] });
    expect((await project.run()).status).toBe('failed');
    expect(project.data('state/stats.json')).toMatchObject({ paid_calls_used: 3 });
    doneElsewhere(project, ['codex_verify'], 4, Date.now() + 2000);
    expect(await project.run()).toMatchObject({ status: 'done', calls: { used: 5 } });
    expect(project.called()).toEqual(all);
    expect(project.data('state/stats.json')).toMatchObject({ paid_calls_used: 5, stages_completed: all });
    expect(await project.run()).toMatchObject({ status: 'done', calls: { used: 5 } });
  });

  it('keeps to its budget of calls', async () => {
    const project = await PacketProject.with('review_cross');
    doneElsewhere(project, ['gemini_review'], 10);
    expect(await project.run()).toMatchObject({ status: 'blocked', calls: { used: 10 } });
    expect(project.calls()).toEqual([]);
    expect(project.data('state/stats.json')).toMatchObject({ paid_calls_used: 10 });
  });

  it('is not done before its acceptance commands pass here', async () => {
    const project = await PacketProject.with('safe_impl');
    doneElsewhere(project, all, 4);
    const ran = await project.run();
    expect(ran.status).not.toBe('done');
    project.put('src/app.txt', 'Good day\n');
    expect(await project.run()).toMatchObject({ status: 'done', calls: { used: 4 } });
    expect(project.calls()).toEqual([]);
  });

  it('loses nothing when it is given up or cannot start', async () => {
    const project = await PacketProject.with('review_cross');
    doneElsewhere(project, ['gemini_review'], 2);
    const packets = await project.packets();
    await packets.cancel('p-1', {});
    expect(project.has('done/gemini_review.done')).toBe(true);
    expect(project.data('state/stats.json')).toMatchObject({ paid_calls_used: 2 });
    expect(await project.run()).toMatchObject({ status: 'done', calls: { used: 4 } });
  });

  it('runs all of it again when asked to, and counts the calls of both', async () => {
    const project = await PacketProject.with('review_cross');
    doneElsewhere(project, ['gemini_review'], 2);
    expect(await project.run({ force: true })).toMatchObject({ status: 'done', calls: { used: 5 } });
    expect(project.called()).toEqual(['gemini_review', 'codex_review', 'copilot_review_consolidate']);
  });
});

describe('a marker that an agent wrote', () => {
  /** In people's tree, which an agent without a sandbox can reach from its copy. */
  const forged = ({ root }: PacketProject) =>
    `mkdir -p ${root}/.tmp/task/p-1/done; date -u +%Y-%m-%dT%H:%M:%SZ > ${root}/.tmp/task/p-1/done/codex_review.done`;

  it('counts for nothing while docket runs', async () => {
    const project = await PacketProject.with('review_cross');
    project.play({ gemini_review: [{ shell: forged(project) }] });
    expect((await project.run()).status).toBe('done');
    expect(project.called()).toEqual(['gemini_review', 'codex_review', 'copilot_review_consolidate']);
  });

  it('counts for nothing after docket was killed', async () => {
    const project = await PacketProject.with('review_cross');
    const waits = `touch ${project.root}/.docket/ready; sleep 600`;
    project.play({ gemini_review: [{ shell: `${forged(project)}; ${waits}` }, {}] });
    const docket = project.start('packet', 'run', 'p-1');
    while (!fs.existsSync(path.join(project.root, '.docket/ready')))
      await new Promise((resolve) => setTimeout(resolve, 20));
    docket.kill('SIGKILL');
    await new Promise((resolve) => docket.once('close', resolve));
    for (const pid of project.leftovers()) process.kill(pid, 'SIGKILL');
    expect(await (await project.packets()).show('p-1')).toMatchObject({ calls: { used: 1 } });
    expect((await project.run()).status).toBe('done');
    expect(project.called().slice(1)).toContain('codex_review');
  });
});
