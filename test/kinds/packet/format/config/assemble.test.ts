import { describe, expect, it } from 'vitest';
import { assemble } from '../../../../../src/kinds/packet/format/config.ts';
import { configOf, own, problemsOf, shipped } from './support.ts';

const message = (problems: { where: string; message: string }[]) =>
  problems.map(({ where, message }) => `${where} ${message}`);

describe('the configuration of packets', () => {
  it('is shipped with the models of the format', () => {
    const { servants } = configOf();
    expect(servants.codex).toMatchObject({
      default_model: 'gpt-5.3-codex',
      wrapper_defaults: { effort: 'high', timeout_ms: 600_000, timeout_mode: 'enforce' },
      purpose_models: { review: 'gpt-5.2-codex', one_shot: 'gpt-5.2-codex' },
      purpose_efforts: { impl: 'high', review: 'medium', verify: 'high', plan: 'medium', one_shot: 'medium' },
    });
    expect(servants.gemini).toMatchObject({
      default_model: 'pro',
      wrapper_defaults: { approval_mode: 'default', sandbox: false },
      purpose_models: { verify: 'flash', plan: 'pro', one_shot: 'flash' },
      purpose_efforts: {},
    });
    expect(servants.copilot.purpose_models).toMatchObject({
      impl: 'claude-sonnet-4.6',
      review: 'claude-opus-4.6',
    });
    expect(servants.codex.allowed_models.length + servants.gemini.allowed_models.length).toBe(12);
  });

  it('is shipped with no profile that carries a mode', () => {
    const { impl, review, plan } = configOf().pipelines;
    expect([impl, review, plan].map((group) => group.default_profile)).toEqual([
      'safe_impl',
      'review_cross',
      'standard',
    ]);
    const options = [impl, review].flatMap(({ profiles }) =>
      Object.values(profiles).map((one) => one.options),
    );
    expect(options).toEqual(options.map(() => ({})));
  });

  it('takes a key of a later file whole, and profiles by their names', () => {
    const { servants, pipelines } = configOf(
      own({ tool: 'codex' }, 'default_model: gpt-5-codex\npurpose_models: {review: gpt-5-codex}\n'),
      own(
        { group: 'impl' },
        'profiles:\n  docs: {stages: [codex_docs]}\n  design_only: {stages: [gemini_brief]}\n',
      ),
    );
    expect(servants.codex).toMatchObject({
      default_model: 'gpt-5-codex',
      purpose_models: { review: 'gpt-5-codex' },
      sources: { purpose_models: 'own.yaml', allowed_models: 'configs/servant/codex.yaml' },
    });
    expect(servants.codex.purpose_models).toEqual({ review: 'gpt-5-codex' });
    expect(Object.keys(pipelines.impl.profiles)).toEqual([
      'safe_impl',
      'one_shot_impl',
      'design_only',
      'docs',
    ]);
    expect(pipelines.impl.profiles['design_only']?.stages).toEqual(['gemini_brief']);
    expect(pipelines.impl.sources).toMatchObject({
      default_profile: 'configs/pipeline/impl-pipeline.yaml',
      'profiles.safe_impl': 'configs/pipeline/impl-pipeline.yaml',
      'profiles.design_only': 'own.yaml',
      'profiles.docs': 'own.yaml',
    });
  });

  it('takes a file of the second version, and what docket does not act on', () => {
    const more = 'web_capabilities: {search: true}\neffort_level_descriptions: {low: quick}\n';
    expect(
      problemsOf(own({ tool: 'gemini' }, `version: 2\ntool: gemini\n${more}`), own({ tool: 'codex' }, '')),
    ).toEqual([]);
  });

  it('tells all that is wrong in all files', () => {
    const servant = own(
      { tool: 'gemini' },
      'tool: codex\ndefault_modle: pro\nwrapper_defaults: {effort: high, timeout_ms: -1, timeout_mode: x, sandbox: no}\npurpose_efforts: {}\n',
    );
    const pipeline = own(
      { group: 'review' },
      'version: 2\nprofiles:\n  a b: {stages: [gemini_review]}\n  c:\n    stages: []\n    flags: {enable_brief: true}\n    options: {review_mode: safe}\n  d: {stages: [claude_review], stage_models: {x: y}, stage_efforts: {gemini_review: high}}\n',
    );
    expect(message(problemsOf(servant, pipeline))).toEqual([
      'own.yaml:1:7 tool must be gemini',
      'own.yaml:2:1 unknown key "default_modle"',
      'own.yaml:3:19 wrapper_defaults.approval_mode is required',
      'own.yaml:3:20 unknown key "wrapper_defaults.effort"',
      'own.yaml:3:46 wrapper_defaults.timeout_ms must be a whole number of at least 0',
      'own.yaml:3:64 wrapper_defaults.timeout_mode "x" is not one of enforce, wait_done',
      'own.yaml:3:76 wrapper_defaults.sandbox must be true or false',
      'own.yaml:4:1 unknown key "purpose_efforts"',
      'own.yaml:1:10 version must be 1',
      'own.yaml:3:3 "a b" cannot be a key here',
      'own.yaml:5:13 profiles.c.stages is empty',
      'own.yaml:6:13 unknown key "profiles.c.flags.enable_brief"',
      'own.yaml:7:28 profiles.c.options.review_mode "safe" is not one of codex_only, cross',
      'own.yaml:8:16 profiles.d.stages[0] is no stage',
      'own.yaml:8:47 "x" cannot be a key here',
      'own.yaml:8:70 "gemini_review" cannot be a key here',
    ]);
  });

  it.each([
    [
      'a model that is not allowed',
      { tool: 'codex' },
      'default_model: o4\n',
      'own.yaml default_model "o4" is no',
    ],
    [
      'a list that leaves one out',
      { tool: 'copilot' },
      'allowed_models: [auto]\n',
      'configs/servant/copilot.yaml default_model',
    ],
    ['a default that is not there', { group: 'impl' }, 'default_profile: x', 'own.yaml default_profile'],
    [
      'a profile in two groups',
      { group: 'review' },
      'profiles: {safe_impl: {stages: [codex_review]}}',
      'own.yaml profiles.safe_impl The profile',
    ],
    [
      'a stage twice',
      { group: 'impl' },
      'profiles: {a: {stages: [codex_x, codex_x]}}',
      'own.yaml:1:24 profiles.a.stages names a stage twice',
    ],
    [
      'a stage that it does not have',
      { group: 'impl' },
      'profiles: {a: {stages: [codex_x], stage_efforts: {codex_y: low}}}',
      'own.yaml:1:15 profiles.a says something about codex_y',
    ],
    [
      'a profile named like a part of JavaScript',
      { group: 'impl' },
      'profiles: {constructor: {stages: [codex_x]}}',
      'own.yaml:1:12 "constructor" cannot',
    ],
  ] as const)('refuses %s', (_, name, text, expected) => {
    const [first] = message(problemsOf(own(name, text)));
    expect(first).toContain(expected);
  });

  it.each([
    ['stages', 'profiles: {a: {stages: [codex_x]}}', 'own.yaml:1:16', 'unknown key "profiles.a.stages"'],
    [
      'flags of an older version',
      'profiles:\n  standard:\n    flags: {enable_stage2_codex: true}\n',
      'own.yaml:3:13',
      'unknown key "profiles.standard.flags.enable_stage2_codex"',
    ],
    ['a default that is not there', 'default_profile: x', 'own.yaml default_profile', 'is no profile'],
  ])('loads beside a plan pipeline with %s, which it never runs', (_, text, where, expected) => {
    const made = assemble([...shipped, own({ group: 'plan' }, text)]);
    expect(made).toMatchObject({ unused: [{ where, message: expect.stringContaining(expected) }] });
  });

  it('misses a file that is not there', () => {
    const made = assemble(shipped.slice(1));
    expect(made).toMatchObject({
      problems: [
        { where: 'configs/servant/codex.yaml', message: 'default_model is set in no file' },
        { message: 'allowed_models is set in no file' },
        { message: 'wrapper_defaults is set in no file' },
      ],
    });
  });
});
