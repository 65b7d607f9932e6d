import { expect, it } from 'vitest';
import { PacketProject, type Scenario } from '../support/packet-project.ts';

/** A packet whose manifest has this line below `routing:`. */
async function routed(intent: string, line: string, scenario: Scenario = {}): Promise<PacketProject> {
  const project = await PacketProject.with(intent, scenario, { commands: [] });
  project.route(line);
  return project;
}

const argvOf = (project: PacketProject, stage: string): string[] =>
  project.calls().find((call) => call.stage === stage)?.argv ?? [];

it.each([
  ['safe_impl', 'flags: {enable_brief: false}', ['codex_impl', 'codex_verify', 'gemini_review']],
  ['safe_impl', 'flags: {enable_verify: false, enable_review: false}', ['gemini_brief', 'codex_impl']],
  [
    'post_impl_review',
    'flags: {enable_review: false}',
    ['gemini_test_design', 'gemini_static_verify', 'codex_test_impl', 'codex_verify'],
  ],
  ['safe_impl', 'options: {impl_mode: one_shot}', ['gemini_brief', 'copilot_runbook', 'codex_verify']],
  ['review_cross', 'options: {review_mode: codex_only}', ['codex_review', 'codex_verify']],
  ['safe_impl', 'profile: design_only', ['gemini_brief', 'gemini_test_design', 'gemini_review']],
])('%s with %s runs what it says', async (intent, line, stages) => {
  const project = await routed(intent, `pipeline: {${line}}`);
  expect((await project.run()).status).toBe('done');
  expect(project.called()).toEqual(stages);
});

it('refuses what leaves nothing to do, before anything is called', async () => {
  const project = await routed('review_only', 'pipeline: {flags: {enable_review: false}}');
  await expect(project.run()).rejects.toMatchObject({ code: 'INVALID' });
  expect([project.calls(), project.has('state/stats.json')]).toEqual([[], false]);
});

it("takes the manifest's model over all others, and says it to the agent as its vendor wants it", async () => {
  const project = await routed('codex_only', 'model: {codex: gpt-5-codex}');
  await project.run();
  expect(project.calls().map(({ model }) => model)).toEqual(['gpt-5-codex', 'gpt-5-codex']);
  expect(argvOf(project, 'codex_review')).toEqual(
    expect.arrayContaining(['--config=model_reasoning_effort="medium"', '--sandbox=read-only']),
  );
  expect(argvOf(project, 'codex_verify')).toEqual(
    expect.arrayContaining(['--config=model_reasoning_effort="high"', '--sandbox=workspace-write']),
  );
  const resolved = project.data('state/config.dispatch.resolved.json');
  expect(resolved).toMatchObject({ profile: 'codex_only', stage_plan: ['codex_review', 'codex_verify'] });
});

it('runs a profile of the workspace, with a role and a template of its own', async () => {
  const project = new PacketProject({ gemini_audit: [{ say: 'All is in order.' }] });
  project.put(
    'configs/pipeline/review-pipeline.yaml',
    'version: 1\npipeline: review\nprofiles:\n  audit:\n    stages: [gemini_audit, codex_review]\n    stage_models: {gemini_audit: flash-lite}\n',
  );
  project.put('.docket/prompts/packet/audit.md', '# Role: audit\n\nLook at everything.\n');
  project.put('.docket/prompts/packet/codex/review.md', '# Role: precision review\n\nOur own words.\n');
  await project.make('audit');
  expect((await project.run()).status).toBe('done');
  const [audit, review] = project.calls();
  expect(audit).toMatchObject({
    stage: 'gemini_audit',
    model: 'flash-lite',
    prompt: expect.stringContaining('Look at everything.'),
  });
  expect(review?.prompt).toContain('Our own words.');
});

it('goes on with another profile where the stages of the first are done', async () => {
  const project = await PacketProject.with('review_only');
  await project.run();
  const ran = await project.run({ plan: 'review_cross' });
  expect(ran.status).toBe('done');
  expect(project.called()).toEqual(['gemini_review', 'codex_review', 'copilot_review_consolidate']);
  expect(project.data('state/stats.json')).toMatchObject({
    paid_calls_used: 3,
    stages_completed: ['gemini_review', 'codex_review', 'copilot_review_consolidate'],
  });
});

it('leaves a stage out that was switched off after it failed', async () => {
  const project = await PacketProject.with('safe_impl', { codex_verify: [{ say: '## Status\nFAIL\n' }] });
  expect((await project.run()).status).toBe('failed');
  project.route('pipeline: {flags: {enable_verify: false}}');
  expect((await project.run()).status).toBe('done');
  expect(project.called()).toEqual(['gemini_brief', 'codex_impl', 'codex_verify', 'gemini_review']);
  expect(await project.states()).toEqual({ gemini_brief: 'done', codex_impl: 'done', gemini_review: 'done' });
  expect(project.has('state/last_failure.json')).toBe(false);
});

it('gives copilot the digest of a context pack, and others all of it', async () => {
  const project = await PacketProject.with('review_cross');
  project.edit('inputs/context_pack.md', () => '## 0. Goal\nBe polite.\n\n## 7. Current State\nRude.\n');
  await project.run();
  expect(project.calls().map(({ prompt }) => prompt.includes('Rude.'))).toEqual([true, true, false]);
  expect(project.text('inputs/context_pack.digest.md')).toContain('Be polite.');
});

it('tells what is in force, and where each value comes from', async () => {
  const project = await PacketProject.with('codex_only');
  project.put('configs/servant/codex.yaml', 'purpose_models: {review: gpt-5-codex}\n');
  const packets = await project.packets();
  const all = await packets.config();
  expect(all.value).toMatchObject({
    servants: { codex: { purpose_models: { review: 'gpt-5-codex' }, default_model: 'gpt-5.3-codex' } },
  });
  expect(all.sources).toMatchObject({
    'servants.codex.purpose_models': 'configs/servant/codex.yaml',
    'servants.codex.default_model': 'docket:configs/servant/codex.yaml',
    'pipelines.review.profiles.codex_only': 'docket:configs/pipeline/review-pipeline.yaml',
  });
  const one = await packets.config('p-1');
  expect(one.value).toMatchObject({
    profile: 'codex_only',
    stages: { codex_review: { model: 'gpt-5.2-codex' } },
  });
  expect(one.sources).toMatchObject({
    'stages.codex_review.model':
      'docket:configs/pipeline/review-pipeline.yaml profiles.codex_only.stage_models.codex_review',
    'stages.codex_review.timeoutMs': 'manifest.yaml budgets.max_wallclock_sec',
  });
});

it('runs beside the configuration files of an older version of the format', async () => {
  const project = await PacketProject.with('review_only');
  project.put(
    'configs/pipeline/plan-pipeline.yaml',
    'version: 1\npipeline: plan\ndefault_profile: standard\nprofiles:\n  standard:\n    flags: {enable_stage2_codex: true}\n    stage_models: {stage1: claude-sonnet-4-6}\n',
  );
  project.put(
    'configs/servant/copilot.yaml',
    'default_model: claude-sonnet-4-6\nallowed_models: [claude-sonnet-4-6]\npurpose_models: {review: claude-sonnet-4-6}\n',
  );
  expect(await (await project.packets()).validate('p-1')).toEqual([
    {
      severity: 'warning',
      path: 'configs/pipeline/plan-pipeline.yaml',
      message: expect.stringMatching(/enable_stage2_codex" \(and 1 more\); docket ignores the file/),
      fix: expect.stringContaining('enable_codex_enrich'),
    },
  ]);
  expect((await project.run()).status).toBe('done');
});
