import { describe, expect, it } from 'vitest';
import { yaml } from '../../../../src/schema/yaml/yaml.ts';
import { fixesIn, manifestIn, minimal, wrongsIn } from './support.ts';

describe('manifest.yaml', () => {
  it('is read with the required fields alone', () => {
    expect(manifestIn(minimal)).toEqual({
      task_id: '20260218-001',
      goal: 'Reject empty names',
      routing: { intent: 'safe_impl', model: {}, pipeline: { flags: {}, options: {} } },
      scope: { allow: ['src/', 'tests/'], deny: ['.env'] },
      acceptance: { commands: ['npm test'], criteria: ['An empty name is an error'] },
      budgets: { retry_budget: 2, paid_call_budget: 10, max_wallclock_sec: 900 },
      context: { digest_policy: 'auto' },
      security: { redaction_patterns: [], forbidden_paths: [] },
    });
  });

  it('is read with all that it may hold', () => {
    const routing = {
      intent: 'mine',
      model: { codex: 'gpt-5-codex', gemini: 'pro', copilot: 'auto' },
      pipeline: {
        profile: 'codex_only',
        flags: { enable_brief: false, enable_verify: true, enable_review: false },
        options: { impl_mode: 'one_shot', review_mode: 'cross', timeout_mode: 'wait_done' },
      },
    };
    const more = {
      routing,
      scope: { allow: [], deny: [] },
      acceptance: { commands: [], criteria: [] },
      budgets: { retry_budget: 0, paid_call_budget: 0, max_wallclock_sec: 0, tokens: 5, cost_usd: 0.5 },
      security: {
        redaction_patterns: ['tok_\\w+', '\\-x', '(?i)key'],
        forbidden_paths: ['.env', 'secrets/'],
      },
      retention: 'archive',
      security_review_mode: 'auto',
      security_sensitive: true,
    };
    const all = { task_id: 'a.b', goal: 'g', context: { digest_policy: 'off' }, ...more };
    expect(manifestIn(JSON.stringify(all))).toEqual(all);
    expect(manifestIn(yaml().stringify(all))).toEqual(all);
  });

  it('takes an id of digits without quotes, and off as YAML 1.1 writes it', () => {
    const text = minimal.replace(/^task_id: .*$/m, 'task_id: 20260101').replace('auto', 'false');
    expect(manifestIn(text)).toMatchObject({ task_id: '20260101', context: { digest_policy: 'off' } });
  });

  it('takes a key without a value for no key', () => {
    const bare = 'security:\nretention:\nsecurity_sensitive:\n';
    expect(manifestIn(minimal + bare)).toEqual(manifestIn(minimal));
  });

  it.each([
    ['an empty file', '', 7],
    ['comments alone', '# nothing\n', 7],
    ['a list', '- a\n', 1],
    ['no YAML', 'a: [\n', 1],
    ['a repeated key', `${minimal}goal: x\n`, 1],
    ['a bomb of aliases', bomb(), 1],
    ['thousands of brackets', 'a: '.concat('['.repeat(100_000)), 1],
    ['a prototype', `${minimal}__proto__: {}\n`, 1],
  ])('%s is an error', (_, text, count) => {
    expect(wrongsIn(text)).toHaveLength(count);
  });

  it('tells everything at once, where it is', () => {
    const text = minimal
      .replace('20260218-001', '../up')
      .replace('  intent:', '  intnt: x\n  model: {codx: a}\n  intent:')
      .replace('[src/, tests/]', '[/etc, a/../../b, 7]')
      .replace('retry_budget: 2', 'retry_budget: -1')
      .replace('auto', 'sometimes');
    const security = `securty:\n  a: 1\nsecurity:\n  redaction_patterns:\n    - fine\n    - "(open"\n`;
    expect(wrongsIn(text + security)).toEqual([
      '1:10 task_id "../up" is no name of a packet',
      '4:3 unknown key "routing.intnt"',
      '5:11 unknown key "routing.model.codx"',
      '8:11 scope.allow[0] is absolute',
      '8:17 scope.allow[1] climbs with ".."',
      '8:28 scope.allow[2] must be a text',
      '14:17 budgets.retry_budget must be a whole number of at least 0',
      '18:18 context.digest_policy "sometimes" is not one of off, auto, aggressive',
      '19:1 unknown key "securty"',
      '24:7 security.redaction_patterns[1] is no regular expression: "Unterminated group"',
    ]);
    expect(fixesIn(text + security)).toContain('Did you mean "intent"?');
  });

  it('finds a wrong key behind an alias', () => {
    const text = minimal.replace('routing:\n  intent: safe_impl', 'routing: {intent: a, model: &m {x: 1}}');
    expect(wrongsIn(`${text}security: *m\n`)).toEqual([
      '3:33 unknown key "routing.model.x"',
      expect.stringContaining('unknown key "security.x"'),
    ]);
  });

  it.each([
    ['task_id', '..', '.a', 'a..b', 'a/b', 'a b', 'constructor', 'x'.repeat(129), 'a\0', -7, 1.5, null, ''],
    ['goal', ' ', '', 5, ['a']],
    ['routing.intent', 'a b', 'constructor', '../x', true],
    ['routing.model.codex', '', 5.1, {}],
    ['routing.pipeline', 'safe_impl', []],
    ['routing.pipeline.profile', 'a/b', ''],
    ['routing.pipeline.flags.enable_brief', 'yes', 1],
    ['routing.pipeline.options.impl_mode', 'cross', true],
    ['routing.pipeline.options.timeout_mode', 'never'],
    ['scope.allow', 'src/', [''], [['a']], ['C:\\x'], ['a\nb'], null],
    ['scope.deny', { a: 1 }, null],
    ['acceptance.commands', 'npm test', [' '], ['a\0b'], [1], null],
    ['acceptance.criteria', [null], null],
    ['budgets.retry_budget', 1.5, '2', -1, 1e300, null],
    ['budgets.tokens', 'many'],
    ['budgets.cost_usd', -0.1, '5'],
    ['context.digest_policy', 'on', true, null],
    ['security.redaction_patterns', ['a(?i)'], ['*'], ['\\Aabc'], [''], 'a'],
    ['security.forbidden_paths', ['/etc'], ['..'], ['']],
    ['retention', 'forever', 30],
  ])('refuses %s to be anything else', (path, ...values) => {
    expect(values.filter((value) => wrongsIn(withValue(path, value)).length !== 1)).toEqual([]);
  });

  it('names the line to add, and that line mends it', () => {
    const whole = yaml().parse(minimal) as Record<string, Record<string, unknown>>;
    const required = Object.entries(whole).flatMap(([key, value]) => [
      [key],
      ...(typeof value === 'object' ? Object.keys(value).map((inner) => [key, inner]) : []),
    ]);
    expect(required).toHaveLength(16);
    for (const path of required) {
      const document = yaml().parseDocument(minimal);
      document.deleteIn(path);
      const [fix, ...others] = fixesIn(document.toString());
      expect(others).toEqual([]);
      const [, line = ''] = /^Add `(.+?)`(?: under `\w+:`)?\.$/.exec(fix ?? '') ?? [];
      const added = Object.entries(yaml().parse(line) as object) as [[string, unknown]];
      document.setIn([...path.slice(0, -1), added[0][0]], added[0][1]);
      expect(wrongsIn(document.toString())).toEqual([]);
    }
  });
});

function withValue(path: string, value: unknown): string {
  const document = yaml().parseDocument(minimal);
  document.setIn(path.split('.'), value);
  return document.toString();
}

function bomb(): string {
  const levels = Array.from(
    { length: 9 },
    (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n}, `.repeat(9)}*a${n}]\n`,
  );
  return `a0: &a0 [x]\n${levels.join('')}`;
}
