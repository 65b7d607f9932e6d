import { expect, it } from 'vitest';
import { answers } from '../support/packet-agent.ts';
import { talkOf } from './real-codex.ts';
import { realPacket } from './real-packet.ts';

const command = 'test -s src/app.txt';
const brief = answers.brief.replace(/(?<=## Verify Commands\n\n).*/, `\`\`\`sh\n${command}\n\`\`\``);
const diff = '--- a/src/app.txt\n+++ b/src/app.txt\n@@ -1 +1 @@\n-Hi\n+Good day\n';
const runbook = [
  '## Problem\n\nIt is rude.',
  `## Plan\n\n\`\`\`diff\n${diff}\`\`\``,
  '## Commands\n\n```sh\ngrep day src/app.txt\n```',
  '## Risks\n\nNone.',
].join('\n\n');

it('a brief of gemini becomes a change by codex, which both of them are shown', async () => {
  const { project, model } = await realPacket('safe_impl', {
    gemini_brief: [{ text: brief }],
    codex_impl: [{ do: [{ shell: 'echo Good day > src/app.txt' }] }, { text: answers.impl }],
    codex_verify: [{ do: [{ shell: 'grep day src/app.txt' }] }, { text: answers.verify }],
    gemini_review: [{ text: answers.review }],
  });
  const stages = ['gemini_brief', 'codex_impl', 'codex_verify', 'gemini_review'];
  expect((await project.run()).task.status).toBe('done');
  expect(project.read('src/app.txt')).toBe('Good day\n');
  expect(project.git('status', '--short', '--', 'src', 'docs', 'a.txt')).toBe(' M src/app.txt\n');
  expect(project.data('state/stats.json')).toEqual({ paid_calls_used: 4, stages_completed: stages });
  expect(model.requests.map(({ name, wire, model: asked }) => [name, wire, asked])).toEqual([
    ['gemini_brief', 'gemini', expect.stringMatching(/^gemini-.*pro/)],
    ['codex_impl', 'responses', 'gpt-5.3-codex'],
    ['codex_impl', 'responses', 'gpt-5.3-codex'],
    ['codex_verify', 'responses', 'gpt-5.3-codex'],
    ['codex_verify', 'responses', 'gpt-5.3-codex'],
    ['gemini_review', 'gemini', expect.stringMatching(/^gemini-.*pro/)],
  ]);
  for (const { tools } of model.requests.filter(({ wire }) => wire === 'gemini'))
    expect(tools).not.toEqual(expect.arrayContaining([expect.stringMatching(/write|replace|shell/)]));
  for (const stage of stages)
    expect(talkOf(model, stage)).toContain(project.text(`inputs/prompt/${stage.replace('_', '.')}.md`));
  for (const stage of ['codex_verify', 'gemini_review'])
    expect(talkOf(model, stage)).toContain('\n-Hi\n+Good day\n');
  const proof = project.text('outputs/codex_verify.artifact.md');
  expect(proof.match(/^## Command: .*|^Exit code: .*/gm)).toEqual([
    '## Command: `grep -q day src/app.txt`',
    'Exit code: 0',
    `## Command: \`${command}\``,
    'Exit code: 0',
  ]);
  expect(project.leftovers()).toEqual([]);
});

it('a diff in the answer of copilot is applied and verified by codex', async () => {
  const { project, model } = await realPacket('one_shot_impl', {
    gemini_brief: [{ text: brief }],
    copilot_runbook: [{ text: runbook }],
    codex_verify: [{ text: answers.verify }],
  });
  expect((await project.run()).task.status).toBe('done');
  expect(project.read('src/app.txt')).toBe('Good day\n');
  expect(project.data('outputs/copilot_runbook.gate_result.json')).toMatchObject({ passed: true });
  expect(model.requests.map(({ name, called }) => [name, called])).toEqual([
    ['gemini_brief', []],
    ['copilot_runbook', []],
    ['codex_verify', []],
  ]);
  expect(talkOf(model, 'codex_verify')).toContain('\n-Hi\n+Good day\n');
});

it('what codex changes out of scope is undone and kept, the rest stays, and nobody verifies it', async () => {
  const { project, model } = await realPacket('safe_impl', {
    gemini_brief: [{ text: brief }],
    codex_impl: [
      { do: [{ shell: 'echo Good day > src/app.txt; echo Mine > docs/guide.md' }] },
      { text: answers.impl },
    ],
  });
  expect((await project.run()).task.status).toBe('failed');
  expect(project.read('src/app.txt')).toBe('Good day\n');
  expect(project.read('docs/guide.md')).toBe('# Guide\n');
  expect(project.text('outputs/codex_impl.undone.patch')).toContain('\n-# Guide\n+Mine\n');
  expect(project.data('state/last_failure.json')).toMatchObject({ class: 'scope_violation' });
  expect(new Set(model.requests.map(({ name }) => name))).toEqual(new Set(['gemini_brief', 'codex_impl']));
});
