import { describe, expect, it } from 'vitest';
import { PacketProject } from '../support/packet-project.ts';

/** Intent → its stages, in order, each with the model that the shipped configuration gives it. */
const intents: Record<string, Record<string, string>> = {
  safe_impl: {
    gemini_brief: 'pro',
    codex_impl: 'gpt-5.3-codex',
    codex_verify: 'gpt-5.3-codex',
    gemini_review: 'pro',
  },
  one_shot_impl: { gemini_brief: 'flash', copilot_runbook: 'claude-opus-4.6', codex_verify: 'gpt-5.3-codex' },
  design_only: { gemini_brief: 'pro', gemini_test_design: 'pro', gemini_review: 'pro' },
  review_only: { gemini_review: 'pro' },
  review_cross: {
    gemini_review: 'pro',
    codex_review: 'gpt-5.3-codex',
    copilot_review_consolidate: 'claude-sonnet-4.6',
  },
  post_impl_review: {
    gemini_review: 'pro',
    gemini_test_design: 'pro',
    gemini_static_verify: 'flash',
    codex_review: 'gpt-5.2-codex',
    codex_test_impl: 'gpt-5.3-codex',
    codex_verify: 'gpt-5.3-codex',
  },
  codex_only: { codex_review: 'gpt-5.2-codex', codex_verify: 'gpt-5.3-codex' },
};

const toolOf = (stage: string): string => stage.slice(0, stage.indexOf('_'));
const roleOf = (stage: string): string => stage.slice(stage.indexOf('_') + 1);

function filesOf(stages: readonly string[]): string[] {
  const roles = new Set(stages.map(roleOf));
  const some = (wanted: boolean, ...names: string[]) => (wanted ? names : []);
  return [
    'manifest.yaml',
    'inputs/user_request.md',
    'outputs/_summary.md',
    'state/config.dispatch.resolved.json',
    'state/stats.json',
    ...some(roles.has('brief'), 'inputs/context_pack.md', 'state/acceptance.commands.override'),
    ...some(
      stages.some((stage) => toolOf(stage) === 'copilot'),
      'inputs/context_pack.digest.md',
    ),
    ...some(roles.has('verify'), 'outputs/codex_verify.artifact.md'),
    ...stages.flatMap((stage) => {
      const kinds = ['compose.log', 'err', 'meta.json', 'out', 'prompt_sha256', 'wrapper.log'];
      return [
        `done/${stage}.done`,
        `inputs/prompt/${toolOf(stage)}.${roleOf(stage)}.md`,
        `outputs/${stage}.gate_result.json`,
        ...kinds.map((kind) => `outputs/${stage}.${toolOf(stage)}.${kind}`),
      ];
    }),
  ].toSorted();
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const masked = (text: string): string =>
  text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME').replaceAll(/duration: \d+s/g, 'duration: Ns');

describe.each(Object.entries(intents))('%s', (intent, models) => {
  it('runs exactly its stages, and leaves the files that its readers expect', async () => {
    const change = { edit: { 'src/app.txt': 'Good day\n' } };
    const project = await PacketProject.with(intent, { copilot_runbook: [change] });
    if (intent in { codex_only: 1, post_impl_review: 1 }) project.put('src/app.txt', 'Good day\n');
    const stages = Object.keys(models);
    const ran = await project.run();
    expect(ran.status).toBe('done');
    expect(project.called()).toEqual(stages);
    expect(Object.fromEntries(project.calls().map(({ stage, model }) => [stage, model]))).toEqual(models);
    expect(project.files()).toEqual(filesOf(stages));
    expect(project.data('state/stats.json')).toEqual({
      paid_calls_used: stages.length,
      stages_completed: stages,
    });
    for (const [at, stage] of stages.entries()) {
      const { sha } = project.calls()[at]!;
      const output = `outputs/${stage}.${toolOf(stage)}`;
      expect(project.data(`${output}.meta.json`)).toEqual({
        stage,
        tool: toolOf(stage),
        exit_code: 0,
        start: expect.stringMatching(time),
        end: expect.stringMatching(time),
        duration_sec: expect.any(Number),
        prompt_sha256: sha,
      });
      const { start, end, duration_sec } = project.data(`${output}.meta.json`);
      expect(duration_sec).toBe((Date.parse(String(end)) - Date.parse(String(start))) / 1000);
      expect(project.text(`${output}.prompt_sha256`)).toBe(`${sha}\n`);
      expect(project.text(`${output}.compose.log`).split('\n')[0]).toBe(sha);
      expect(project.text(`done/${stage}.done`)).toMatch(/^\d{4}-\S+Z\n$/);
      expect(project.data(`outputs/${stage}.gate_result.json`)).toMatchObject({
        stage,
        passed: true,
        reasons: [],
      });
    }
    expect(masked(project.text('outputs/_summary.md'))).toBe(summaryOf(project, stages));
  });
});

function summaryOf(project: PacketProject, stages: readonly string[]): string {
  const told = stages.flatMap((stage) => {
    const lines = project
      .text(`outputs/${stage}.${toolOf(stage)}.out`)
      .trimEnd()
      .split('\n').length;
    return [
      `### ${stage} (${toolOf(stage)}/${roleOf(stage)}) — done`,
      `- exit_code: 0 | duration: Ns | output: ${lines} lines`,
    ];
  });
  return [
    '# Task Summary',
    'Task: p-1',
    'Updated: TIME',
    `**Status: done**, ${stages.length} of ${stages.length} stages done`,
    '',
    'next_action: none, it is done (docket packet archive p-1 puts it away)',
    '',
    '## Stages',
    ...told,
    '',
    '## Budgets',
    `- paid_calls_used: ${stages.length} / 10`,
    '',
  ].join('\n');
}

it('gives equal packets equal prompts, and other ones others', async () => {
  const shas = async (intent: string, request: string) => {
    const project = await PacketProject.with(intent, {}, { request });
    await project.run();
    return project.calls().map(({ sha }) => sha);
  };
  const [first, second] = await Promise.all([1, 2].map(() => shas('safe_impl', 'Be polite.')));
  expect(second).toEqual(first);
  const others = await Promise.all(['Be polite.', 'Be rude.'].map((request) => shas('review_only', request)));
  expect(new Set([...(first ?? []), ...others.flat()]).size).toBe(6);
});
