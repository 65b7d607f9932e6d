import { describe, expect, it } from 'vitest';
import { purposeOf, resolvedJson } from '../../../../../src/kinds/packet/format/resolve.ts';
import { manifestIn, minimal } from '../support.ts';
import { configOf, own, problemsWith, resolvedWith, routed } from './support.ts';

const planOf = (routing: string, plan?: string) =>
  resolvedWith({ manifest: routed(routing), plan }).stages.map(
    ({ stage, model, effort }) => `${stage} ${model}${effort ? `/${effort}` : ''}`,
  );

describe('an intent', () => {
  it.each([
    [
      'safe_impl',
      'gemini_brief pro|codex_impl gpt-5.3-codex/high|codex_verify gpt-5.3-codex/high|gemini_review pro',
    ],
    ['one_shot_impl', 'gemini_brief flash|copilot_runbook claude-opus-4.6|codex_verify gpt-5.3-codex/medium'],
    ['design_only', 'gemini_brief pro|gemini_test_design pro|gemini_review pro'],
    ['review_only', 'gemini_review pro'],
    [
      'review_cross',
      'gemini_review pro|codex_review gpt-5.3-codex/high|copilot_review_consolidate claude-sonnet-4.6',
    ],
    [
      'strict_review',
      'gemini_review pro|codex_review gpt-5.3-codex/high|copilot_review_consolidate claude-sonnet-4.6',
    ],
    [
      'post_impl_review',
      'gemini_review pro|gemini_test_design pro|gemini_static_verify flash|codex_review gpt-5.2-codex/medium|codex_test_impl gpt-5.3-codex/high|codex_verify gpt-5.3-codex/high',
    ],
    ['codex_only', 'codex_review gpt-5.2-codex/medium|codex_verify gpt-5.3-codex/high'],
  ])('%s runs exactly its stages', (intent, stages) => {
    expect(planOf(`intent: ${intent}`).join('|')).toBe(stages);
  });

  it('gives way to a profile, that to a mode, and all to a plan from the command line', () => {
    const profile = (routing: string, plan?: string) =>
      resolvedWith({ manifest: routed(routing), plan }).profile;
    expect(profile('intent: safe_impl, pipeline: {profile: design_only}')).toBe('design_only');
    const mode = 'intent: safe_impl, pipeline: {profile: design_only, options: {impl_mode: one_shot}}';
    expect(profile(mode)).toBe('one_shot_impl');
    expect(profile(mode, 'auto')).toBe('one_shot_impl');
    expect(profile(mode, 'safe_impl')).toBe('safe_impl');
    expect(profile('intent: post_impl_review, pipeline: {options: {review_mode: codex_only}}')).toBe(
      'codex_only',
    );
    expect(profile('intent: codex_only, pipeline: {options: {review_mode: cross}}')).toBe('review_cross');
    expect(resolvedWith({ plan: 'review_only' })).toMatchObject({ group: 'review', intent: 'review_only' });
  });

  it('is not led astray by a mode that a profile carries', () => {
    const config = configOf(
      own(
        { group: 'review' },
        'profiles: {post_impl_review: {stages: [codex_review], options: {review_mode: cross}}}',
      ),
    );
    const resolved = resolvedWith({ manifest: routed('intent: post_impl_review'), ...config });
    expect([resolved.profile, resolved.options]).toEqual(['post_impl_review', { review_mode: 'cross' }]);
  });

  it("is a user's own profile without a line of code", () => {
    const config = configOf(own({ group: 'impl' }, 'profiles: {docs: {stages: [gemini_brief, codex_docs]}}'));
    expect(resolvedWith({ manifest: routed('intent: docs'), ...config }).stages).toMatchObject([
      { stage: 'gemini_brief', purpose: 'plan', model: 'pro' },
      { stage: 'codex_docs', purpose: 'plan', model: 'gpt-5.3-codex', effort: 'medium' },
    ]);
  });
});

describe('flags', () => {
  const left = (intent: string, flags: string) =>
    planOf(`intent: ${intent}, pipeline: {flags: {${flags}}}`).map((stage) => stage.split(' ')[0]);

  it('take out the stages of their word', () => {
    expect(left('safe_impl', 'enable_brief: false')).toEqual(['codex_impl', 'codex_verify', 'gemini_review']);
    expect(left('post_impl_review', 'enable_verify: false')).toEqual([
      'gemini_review',
      'gemini_test_design',
      'codex_review',
      'codex_test_impl',
    ]);
    expect(left('post_impl_review', 'enable_review: false')).toEqual([
      'gemini_test_design',
      'gemini_static_verify',
      'codex_test_impl',
      'codex_verify',
    ]);
    expect(left('safe_impl', 'enable_brief: true')).toHaveLength(4);
  });

  it.each([
    ['intent: review_cross, pipeline: {flags: {enable_review: false}}', 'The flags leave no stage'],
    [
      'intent: review_cross, pipeline: {flags: {enable_brief: true}}',
      'Profiles of the review pipeline have no enable_brief',
    ],
    [
      'intent: safe_impl, pipeline: {options: {review_mode: cross}}',
      'Profiles of the impl pipeline have no review_mode',
    ],
    ['intent: saf_impl', 'There is no profile "saf_impl"'],
    ['intent: safe_impl, pipeline: {profile: review_only}', 'There is no profile "review_only"'],
    ['intent: standard', 'There is no profile "standard"'],
    ['intent: safe_impl, model: {codex: pro}', '"pro" is no allowed model of codex'],
  ])('and the rest must fit: %s', (routing, message) => {
    expect(problemsWith({ manifest: routed(routing) })).toEqual([
      {
        where: expect.stringMatching(/^manifest\.yaml routing\./) as string,
        message: expect.stringContaining(message) as string,
        fix: expect.stringMatching(/\w/) as string,
      },
    ]);
  });

  it('and a stage model must be allowed in the profile that runs, not in the others', () => {
    const profiles = 'profiles: {a: {stages: [codex_x], stage_models: {codex_x: pro}}}';
    const config = configOf(own({ group: 'impl' }, profiles));
    expect(problemsWith(config)).toEqual([]);
    expect(problemsWith({ ...config, manifest: routed('intent: a') })).toMatchObject([
      { where: 'own.yaml profiles.a.stage_models.codex_x', message: '"pro" is no allowed model of codex' },
    ]);
    const manifest = routed('intent: a, model: {codex: gpt-5-codex}');
    expect(problemsWith({ ...config, manifest })).toEqual([]);
  });

  it('and all that does not is told at once', () => {
    const manifest = routed('intent: x, model: {codex: a, gemini: b}');
    const found = problemsWith({ manifest, env: { DISPATCH_TIMEOUT_MS_OVERRIDE: '1s' }, plan: 'safe_imp' });
    expect(found.map(({ where }) => where)).toEqual([
      'manifest.yaml routing.model.codex',
      'manifest.yaml routing.model.gemini',
      'DISPATCH_TIMEOUT_MS_OVERRIDE',
      '--plan',
    ]);
    expect(found.at(-1)?.fix).toMatch(/^Did you mean "safe_impl"\? Write one of safe_impl, one_shot_impl, /);
  });
});

describe('a value comes from the first that has one', () => {
  const valueOf = (key: string, ...[input]: Parameters<typeof resolvedWith>) => {
    const { stages, sources } = resolvedWith(input);
    const stage = stages.find((one) => one.stage === 'codex_impl');
    return [stage?.[key as 'model'], sources[`stages.codex_impl.${key}`]];
  };
  const bare = 'profiles: {bare: {stages: [codex_impl]}}';
  const config = configOf(own({ group: 'impl' }, bare));
  const manifest = routed('intent: bare');

  it('model', () => {
    const told = routed('intent: bare, model: {codex: gpt-5-codex}');
    expect(valueOf('model', { manifest: told, ...config })).toEqual([
      'gpt-5-codex',
      'manifest.yaml routing.model.codex',
    ]);
    expect(valueOf('model', {})).toEqual([
      'gpt-5.3-codex',
      'configs/pipeline/impl-pipeline.yaml profiles.safe_impl.stage_models.codex_impl',
    ]);
    expect(valueOf('model', { manifest, ...config })).toEqual([
      'gpt-5.3-codex',
      'configs/servant/codex.yaml purpose_models.impl',
    ]);
    const noPurposes = configOf(
      own({ group: 'impl' }, bare),
      own({ tool: 'codex' }, 'purpose_models: {plan: gpt-5-codex}'),
    );
    expect(valueOf('model', { manifest, ...noPurposes })).toEqual([
      'gpt-5.3-codex',
      'configs/servant/codex.yaml default_model',
    ]);
  });

  it('effort, which only codex has', () => {
    expect(valueOf('effort', {})[1]).toBe(
      'configs/pipeline/impl-pipeline.yaml profiles.safe_impl.stage_efforts.codex_impl',
    );
    expect(valueOf('effort', { manifest, ...config })).toEqual([
      'high',
      'configs/servant/codex.yaml purpose_efforts.impl',
    ]);
    const none = configOf(own({ group: 'impl' }, bare), own({ tool: 'codex' }, 'purpose_efforts: {}'));
    expect(valueOf('effort', { manifest, ...none })).toEqual([
      'high',
      'configs/servant/codex.yaml wrapper_defaults.effort',
    ]);
    const { stages } = resolvedWith({});
    expect(stages.filter(({ effort }) => effort).every(({ tool }) => tool === 'codex')).toBe(true);
    expect(stages.filter(({ sandbox }) => sandbox === false).every(({ tool }) => tool === 'gemini')).toBe(
      true,
    );
  });

  it('timeout mode: calls are ended unless somebody says otherwise', () => {
    expect(valueOf('timeoutMode', {})).toEqual([
      'enforce',
      'configs/servant/codex.yaml wrapper_defaults.timeout_mode',
    ]);
    const waits = configOf(
      own({ group: 'impl' }, 'profiles: {bare: {stages: [codex_impl], options: {timeout_mode: wait_done}}}'),
    );
    expect(valueOf('timeoutMode', { manifest, ...waits })).toEqual([
      'wait_done',
      'own.yaml profiles.bare.options.timeout_mode',
    ]);
    const told = routed('intent: bare, pipeline: {options: {timeout_mode: enforce}}');
    expect(valueOf('timeoutMode', { manifest: told, ...waits })).toEqual([
      'enforce',
      'manifest.yaml routing.pipeline.options.timeout_mode',
    ]);
  });

  it('timeout', () => {
    const env = { DISPATCH_TIMEOUT_MS_OVERRIDE: '0' };
    expect(valueOf('timeoutMs', { env })).toEqual([0, 'DISPATCH_TIMEOUT_MS_OVERRIDE']);
    expect(valueOf('timeoutMs', {})).toEqual([900_000, 'manifest.yaml budgets.max_wallclock_sec']);
    const seconds = (value: string) => ({ manifest: manifestIn(minimal.replace('900', value)) });
    expect(valueOf('timeoutMs', seconds('0'))).toEqual([
      600_000,
      'configs/servant/codex.yaml wrapper_defaults.timeout_ms',
    ]);
    expect(valueOf('timeoutMs', seconds('99999999999'))[0]).toBe(2 ** 31 - 1);
  });

  it('flags and options', () => {
    const { flags, options, sources } = resolvedWith({
      manifest: routed(
        'intent: safe_impl, pipeline: {flags: {enable_review: false}, options: {timeout_mode: wait_done}}',
      ),
    });
    expect([flags, options]).toEqual([
      { enable_brief: true, enable_verify: true, enable_review: false },
      { timeout_mode: 'wait_done' },
    ]);
    expect(sources).toMatchObject({
      intent: 'manifest.yaml routing.intent',
      profile: 'manifest.yaml routing.intent',
      'flags.enable_brief': 'configs/pipeline/impl-pipeline.yaml profiles.safe_impl.flags',
      'flags.enable_review': 'manifest.yaml routing.pipeline.flags',
      'options.timeout_mode': 'manifest.yaml routing.pipeline.options',
    });
  });
});

it('what a stage is for', () => {
  const purpose = (role: string, mode?: string) =>
    [purposeOf(role, 'impl', mode), purposeOf(role, 'review', mode)].join(' ');
  expect(purpose('test_impl')).toBe('impl impl');
  expect(purpose('static_verify')).toBe('verify verify');
  expect(purpose('review_consolidate')).toBe('review review');
  expect(purpose('runbook')).toBe('one_shot one_shot');
  expect(purpose('brief')).toBe('plan plan');
  expect(purpose('test_design', 'one_shot')).toBe('one_shot plan');
  expect(purpose('docs', 'one_shot')).toBe('plan review');
});

it('is written with the keys that readers of the file know', () => {
  const json = resolvedJson(resolvedWith({ manifest: routed('intent: codex_only, model: {gemini: flash}') }));
  expect(Object.keys(json)).toEqual(Object.keys(json).toSorted());
  expect(json).toEqual({
    flags: { enable_review: true, enable_verify: true },
    intent: 'codex_only',
    options: {},
    pipeline_group: 'review',
    profile: 'codex_only',
    purpose_models: expect.objectContaining({
      gemini: expect.objectContaining({ verify: 'flash' }) as object,
    }) as object,
    stage_efforts: { codex_review: 'medium', codex_verify: 'high' },
    stage_models: { codex_review: 'gpt-5.2-codex', codex_verify: 'gpt-5.3-codex' },
    stage_plan: ['codex_review', 'codex_verify'],
    stage_timeout_modes: { codex_review: 'enforce', codex_verify: 'enforce' },
    stage_timeout_ms: { codex_review: 900_000, codex_verify: 900_000 },
    tool_models: { codex: 'gpt-5.3-codex', gemini: 'flash', copilot: 'claude-sonnet-4.6' },
  });
});
