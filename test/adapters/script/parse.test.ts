import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseScenario, type Problem } from '../../../src/adapters/script/parse.ts';
import { stepsFor } from '../../../src/adapters/script/scenario.ts';
import { DocketError } from '../../../src/errors.ts';

function problemsIn(source: string): string[] {
  try {
    parseScenario(source, 's.yaml');
    return [];
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    return (error.data['problems'] as Problem[]).map(
      ({ line, column, message }) => `${line}:${column} ${message}`,
    );
  }
}

const step = (yaml: string): string => `rules:\n  - steps:\n      - ${yaml}\n`;

describe('a scenario', () => {
  test('is what it says', () => {
    const source =
      'version: 1\nrules:\n  - {when: a, turns: [[{say: x}], []]}\n  - {steps: [{usage: {input: 1, output: 2}}]}\n';
    expect(parseScenario(source, 's.yaml')).toEqual({
      version: 1,
      rules: [
        { when: 'a', turns: [[{ say: 'x' }], []] },
        { steps: [{ usage: { input: 1, cached: 0, output: 2 } }] },
      ],
    });
  });

  test('of the documentation is one', () => {
    const doc = fs.readFileSync(new URL('../../../docs/script-agent.md', import.meta.url), 'utf8');
    const blocks = [...doc.matchAll(/```yaml\n(.*?)```/gs)].map((match) => match[1] ?? '');
    const scenarios = blocks.filter((block) => block.includes('rules:'));
    expect(scenarios.length).toBeGreaterThan(0);
    for (const scenario of scenarios) expect(problemsIn(scenario)).toEqual([]);
  });

  test.each<[string, string[]]>([
    ['', ['1:1 expected object, received null']],
    ['rules: []', ['1:1 rules: Too small: expected array to have >=1 items']],
    [
      'rule: [{steps: []}]',
      ['1:1 rules: expected array, received undefined', '1:1 unknown key "rule"; did you mean "rules"?'],
    ],
    ['version: 2\nrules: [{steps: []}]', ['1:1 version: expected 1']],
    ['rules:\n  - when: x', ['2:5 needs either "steps" or "turns"']],
    [
      'rules:\n  - {when: "/(/", steps: []}\n',
      [expect.stringMatching(/^2:6 Invalid regular expression/) as string],
    ],
    [
      'rules:\n  - {steps: []}\n  - {when: a, steps: []}',
      [expect.stringContaining('3:5 stands behind the rule without a condition') as string],
    ],
    ['rules: [', [expect.stringMatching(/^1:\d+ /) as string]],
    [step('sya: x'), ['3:9 unknown key "sya"; did you mean "say"?']],
    [
      step('zzzzzz: x'),
      [expect.stringContaining('3:9 unknown key "zzzzzz"; known: say, edit, run') as string],
    ],
    [step('say: 7'), ['3:9 say: expected string, received number']],
    [step('just text'), [expect.stringContaining('a step must be one of say, edit') as string]],
    [step('{say: a, run: b}'), ['3:9 a step has one key, this one has say, run']],
    [
      step('edit: {path: a}'),
      ['3:9 edit: must be path with one of write, append, replace and with, or delete: true'],
    ],
    [
      step('edit: {path: a, write: x, mode: 7}'),
      ['3:35 unknown key "mode"; known: path, write, append, replace, with, delete'],
    ],
    [step('limit: {}'), ['3:9 limit: must be one of text, resetsAt, in']],
    [
      step('usage: {input: 1, outputs: 2}'),
      [
        '3:9 output: expected number, received undefined',
        '3:27 unknown key "outputs"; did you mean "output"?',
      ],
    ],
    [step('exit: 300'), ['3:9 exit: Too big: expected number to be <=255']],
    [step('wait: -1'), ['3:9 wait: Too small: expected number to be >=0']],
  ])('%j', (source, problems) => {
    expect(problemsIn(source)).toEqual(problems);
  });

  test('names all problems at once, in their order', () => {
    const source =
      'rules:\n  - whne: a\n    steps:\n      - say: 1\n      - rnu: x\n  - turns:\n      - [{wait: x}]\n';
    expect(problemsIn(source)).toEqual([
      '2:5 unknown key "whne"; did you mean "when"?',
      '4:9 say: expected string, received number',
      '5:9 unknown key "rnu"; did you mean "run"?',
      '7:11 wait: expected number, received string',
    ]);
  });

  test('does not blow up', () => {
    const bomb = `a: &a [x,x]\n${['b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name, n) => `${name}: &${name} [${`*${'abcdefg'[n]},`.repeat(9)}]`).join('\n')}\nrules: *h\n`;
    expect(() => parseScenario(bomb, 's.yaml')).toThrow(/alias|rules|unknown key/i);
  });
});

describe('rules', () => {
  const { rules } = parseScenario(
    'rules:\n  - {when: a, turns: [[{say: a1}], [{say: a2}]]}\n  - {when: b, steps: [{say: b}]}\n  - {turns: [[{say: d1}], [{say: d2}]]}\n',
    's.yaml',
  );
  const told = (...prompts: string[]): unknown =>
    stepsFor(
      rules,
      prompts.map((prompt) => ({ prompt, step: 'work', attempt: 1 })),
    )?.[0];

  test.each([
    [['a'], 'a1'],
    [['a', 'a'], 'a2'],
    [['a', 'a', 'a'], 'a2'],
    [['a', 'go on'], 'a2'],
    [['a', 'b', 'a'], 'a2'],
    [['a', 'b'], 'b'],
    [['x'], 'd1'],
    [['x', 'a', 'y'], 'a2'],
    [['x', 'y'], 'd2'],
  ])('%j', (prompts, say) => {
    expect(told(...prompts)).toEqual({ say });
  });

  test('one for an attempt is over with it, also in the same session', () => {
    const flaky = parseScenario(
      'rules:\n  - {when: a, attempt: 1, steps: [{limit: {in: 3}}]}\n  - {when: a, steps: [{say: well}]}\n  - {steps: [{say: d}]}\n',
      's.yaml',
    );
    const at = (attempt: number, prompt: string) => ({ prompt, step: 'work', attempt });
    const first = [at(1, 'a'), at(1, 'go on')];
    expect(stepsFor(flaky.rules, first)).toEqual([{ limit: { in: 3 } }]);
    expect(stepsFor(flaky.rules, [...first, at(2, 'go on')])).toEqual([{ say: 'well' }]);
    expect(stepsFor(flaky.rules, [...first, at(2, 'go on'), at(3, 'go on')])).toEqual([{ say: 'well' }]);
    const [limited] = flaky.rules;
    expect(stepsFor([limited!, { steps: [{ say: 'd' }] }], [...first, at(2, 'go on')])).toEqual([
      { say: 'd' },
    ]);
  });
});
