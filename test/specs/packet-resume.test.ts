import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PacketWish } from '../../src/kinds/packet/api.ts';
import { PacketProject, polite } from '../support/packet-project.ts';
import { until } from '../support/project.ts';

const all = ['gemini_brief', 'codex_impl', 'codex_verify', 'gemini_review'];

async function finished(): Promise<PacketProject> {
  const project = await PacketProject.with('safe_impl');
  await project.run();
  return project;
}

/** What a run would do now, and why it would begin there. */
async function planned(
  project: PacketProject,
  wish: PacketWish = {},
): Promise<{ runs: string[]; why: string }> {
  const { stages } = await (await project.packets()).plan(project.id, wish);
  const runs = stages.filter((stage) => stage.runs);
  return { runs: runs.map(({ stage }) => stage), why: runs[0]?.why ?? '' };
}

const template = '.docket/prompts/packet/verify.md';
const ownTemplate = '# Role: verification\n\nOurs.\n';

/** What is changed, how, and what has to run again for it. */
const changes: [string, (project: PacketProject) => void, string[], string][] = [
  ['request', (p) => p.edit('inputs/user_request.md', (text) => `${text}Kindly.\n`), all, 'request changed'],
  [
    'context pack',
    (p) => p.edit('inputs/context_pack.md', (text) => `${text}More.\n`),
    all,
    'context changed',
  ],
  ['attachments', (p) => p.edit('inputs/attachments/notes.md', () => 'New.\n'), all, 'attachments changed'],
  ['template', (p) => p.put(template, ownTemplate), all.slice(2), 'template changed'],
  [
    'model',
    (p) => p.route('model: {codex: gpt-5-codex}'),
    all.slice(1),
    'model changed from gpt-5.3-codex to gpt-5-codex',
  ],
  [
    'commands',
    (p) => p.edit('manifest.yaml', (text) => text.replace('grep -q day', 'grep -q Good')),
    all.slice(2),
    'commands changed',
  ],
];

describe('a packet that is done', () => {
  it('runs again from the first stage that a change concerns, and not at all without one', async () => {
    const project = await finished();
    const files = project.files().map((name) => [name, project.text(name)]);
    expect((await project.run()).status).toBe('done');
    expect(project.called()).toEqual(all);
    expect(project.files().map((name) => [name, project.text(name)])).toEqual(files);
    const names = ['manifest.yaml', 'inputs/user_request.md', 'inputs/context_pack.md'];
    const before = names.map((name) => [name, project.text(name)] as const);
    for (const [what, change, runs, why] of changes) {
      change(project);
      expect([what, await planned(project)]).toEqual([what, { runs, why }]);
      for (const [name, text] of before) project.edit(name, () => text);
      for (const place of [template, '.tmp/task/p-1/inputs/attachments/notes.md'])
        fs.rmSync(path.join(project.root, place), { force: true });
      expect([what, await planned(project)]).toEqual([what, { runs: [], why: '' }]);
    }
    project.put(template, ownTemplate);
    expect((await project.run()).status).toBe('done');
    expect(project.called().slice(4)).toEqual(all.slice(2));
    expect(project.calls()[4]?.prompt).toContain('Ours.');
  });

  it('runs again from where it is told, all of it, or one stage', async () => {
    const project = await PacketProject.with('codex_only', {}, { commands: [] });
    const both = ['codex_review', 'codex_verify'];
    await project.run();
    expect(await planned(project, { from: 'codex_verify' })).toMatchObject({ runs: ['codex_verify'] });
    expect(await planned(project, { stage: 'codex_review' })).toMatchObject({ runs: ['codex_review'] });
    expect(await planned(project, { force: true })).toMatchObject({ runs: both });
    await expect(planned(project, { from: 'codex_fix' })).rejects.toMatchObject({ code: 'INVALID' });
    await project.run({ from: 'codex_verify' });
    expect(project.called()).toEqual([...both, 'codex_verify']);
    await project.run({ force: true });
    expect(project.called().slice(3)).toEqual(both);
    expect((await project.run({ stage: 'codex_review' })).status).toBe('done');
    expect(project.called().slice(5)).toEqual(['codex_review']);
    await expect(project.run({ stage: 'codex_fix' })).rejects.toMatchObject({ code: 'INVALID' });
  });
});

it("its manifest is people's: what they change in it and change back stays as they left it", async () => {
  const project = await PacketProject.with('codex_only', {}, { commands: ['echo day'] });
  await project.run();
  const first = project.text('manifest.yaml');
  const second = first.replace('echo day', 'echo night');
  for (const text of [second, first, second, first]) {
    project.edit('manifest.yaml', () => text);
    expect(await planned(project)).toEqual({ runs: ['codex_verify'], why: 'commands changed' });
    await project.run();
    expect(project.text('manifest.yaml')).toBe(text);
  }
});

it('a stage can be run before the others, which follow', async () => {
  const project = await PacketProject.with('safe_impl');
  const ran = await project.run({ stage: 'codex_impl' });
  expect(project.called()).toEqual(['codex_impl']);
  expect(ran.status).toBe('queued');
  expect(await project.states()).toEqual({
    gemini_brief: 'pending',
    codex_impl: 'done',
    codex_verify: 'pending',
    gemini_review: 'pending',
  });
  expect(project.text('outputs/_summary.md')).toContain('### gemini_review (gemini/review) — pending');
  expect((await project.run()).status).toBe('done');
  expect(project.called().slice(1)).toEqual(all);
});

it('what failed runs again, and nothing before it', async () => {
  const project = await PacketProject.with('safe_impl', { codex_verify: [{ say: '## Status\nFAIL\n' }, {}] });
  await project.run();
  expect(project.called()).toEqual(all.slice(0, 3));
  await project.run();
  expect(project.called().slice(3)).toEqual(all.slice(2));
});

describe('an interruption', () => {
  it('ends the agent, and the stage is run again later', async () => {
    const project = await PacketProject.with('safe_impl', {
      codex_impl: [{ ...polite, shell: 'echo x > docs/stray.md', hang: true }, polite],
    });
    const stop = new AbortController();
    const going = project.run({ signal: stop.signal });
    await until(
      'codex works',
      () => project.called().includes('codex_impl') && fs.existsSync(project.inCopy('docs/stray.md')),
    );
    stop.abort('shutdown');
    expect(await going).toMatchObject({ status: 'queued', interrupted: true });
    expect(project.leftovers()).toEqual([]);
    expect(await project.states()).toMatchObject({ gemini_brief: 'done', codex_impl: 'interrupted' });
    expect(fs.readdirSync(path.join(project.root, 'docs'))).toEqual(['guide.md']);
    expect(project.text('outputs/_summary.md')).toContain(
      '**Status: stopped** at codex_impl, 1 of 4 stages done',
    );
    // What a person does meanwhile is not taken for the agent's.
    project.put('docs/guide.md', '# My guide\n');
    expect((await project.run()).status).toBe('done');
    expect(project.read('docs/guide.md')).toBe('# My guide\n');
    expect(project.called()).toEqual([
      'gemini_brief',
      'codex_impl',
      'codex_impl',
      'codex_verify',
      'gemini_review',
    ]);
  });

  it('while acceptance commands run costs no second call', async () => {
    const slow = 'test -e .tmp/go || { touch .tmp/slow; sleep 30; }';
    const project = await PacketProject.with('safe_impl', {}, { commands: [slow] });
    const stop = new AbortController();
    const going = project.run({ signal: stop.signal });
    await until('the command runs', () => project.git('ls-files', '-o', '.tmp/slow') !== '');
    stop.abort('shutdown');
    expect(await going).toMatchObject({ status: 'queued', interrupted: true });
    expect(project.has('state/last_failure.json')).toBe(false);
    project.put('.tmp/go', '');
    expect((await project.run()).status).toBe('done');
    expect(project.called()).toEqual(all);
  });
});

it('what a person writes into the manifest meanwhile holds', async () => {
  const manifest = '.tmp/task/p-1/manifest.yaml';
  const commands = [`sed -i 's/^  paid_call_budget: 10/  paid_call_budget: 12/' ${manifest}; sleep 0.3`];
  const project = await PacketProject.with('safe_impl', {}, { commands });
  await project.run();
  expect((await (await project.packets()).show('p-1')).calls).toEqual({ used: 4, budget: 12 });
  expect(project.text('outputs/_summary.md')).toContain('- paid_calls_used: 4 / 12');
});

it('two at once are one and a refusal', async () => {
  const project = await PacketProject.with('safe_impl', { gemini_brief: [{ shell: 'sleep 0.5' }] });
  const ends = await Promise.allSettled([
    project.run(),
    until('it runs', () => project.calls().length > 0).then(() => project.run()),
  ]);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(ends[1]).toMatchObject({ reason: { code: 'REFUSED' } });
  expect(project.called()).toEqual(all);
});
