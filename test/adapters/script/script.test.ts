import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { script } from '../../../src/adapters/script/adapter.ts';
import { attempt, stage, type Seen, type Stage, type Wish } from '../../support/attempt.ts';

/** A stage with a scenario on it. */
function play(scenario: string): Stage & { run: (wish?: Partial<Wish>) => Promise<Seen> } {
  const at = stage();
  const file = path.join(at.root, 'scenario.yaml');
  fs.writeFileSync(file, scenario);
  return { ...at, run: (wish) => attempt(at, { adapter: script, command: [file], ...wish }) };
}

const steps = (yaml: string): string => `rules:\n  - steps:\n${yaml.replaceAll(/^/gm, '      ')}\n`;
const of = (seen: Seen, type: string): object[] => seen.events.filter((event) => event.type === type);

describe('the scripted agent', () => {
  test('says, edits, runs, counts and reports', async () => {
    const at = play(
      steps(`
- say: I begin.
- edit: {path: src/a.txt, write: "one\\n"}
- edit: {path: src/a.txt, append: "two\\n"}
- edit: {path: src/a.txt, replace: one, with: "$& ONE"}
- run: cat src/a.txt && echo err >&2
- run: [sh, -c, 'exit 3']
- usage: {input: 100, cached: 40, output: 7, cost: 0.25}
- usage: {input: 1, output: 1, cost: 0.25}
- say: Done, {{task}}.
- report: {status: success, summary: 'Did {{prompt}}', changes: ['{{step}} {{attempt}}'], risks: null}`),
    );
    const seen = await at.run({ prompt: 'it' });
    expect(seen.turn).toMatchObject({
      text: 'Done, task-1.',
      structured: { status: 'success', summary: 'Did it', changes: ['work 1'], risks: null },
      usage: { input: 101, cached: 40, output: 8, cost: 0.5 },
      files: [
        { path: 'src/a.txt', change: 'add' },
        { path: 'src/a.txt', change: 'update' },
        { path: 'src/a.txt', change: 'update' },
      ],
      exit: { code: 0 },
    });
    expect(seen.turn.error).toBeUndefined();
    expect(seen.turn.session).toMatch(/^[0-9a-f-]{36}$/);
    expect(fs.readFileSync(path.join(at.cwd, 'src/a.txt'), 'utf8')).toBe('$& ONE\ntwo\n');
    const tools = of(seen, 'tool') as { phase: string; name: string; ok?: boolean; output?: string }[];
    expect(tools.map(({ phase, name, ok }) => `${name} ${phase}${ok === undefined ? '' : ` ${ok}`}`)).toEqual(
      [
        ...Array.from({ length: 3 }, () => ['edit start', 'edit end true']).flat(),
        'run start',
        'run end true',
        'run start',
        'run end false',
      ],
    );
    expect(tools[7]?.output).toContain('$& ONE\ntwo\nerr\n');
  });

  test('follows the first rule that fits', async () => {
    const at = play(`
rules:
  - {when: fix, attempt: 2, steps: [{say: second try}]}
  - {when: fix, step: review, steps: [{say: reviewed}]}
  - {when: /^fix .* bug$/i, steps: [{say: pattern}]}
  - {when: fix, steps: [{say: text}]}
  - {steps: [{say: other}]}
`);
    const said = async (prompt: string, about = {}): Promise<string | undefined> =>
      (await at.run({ prompt, request: { about: { taskId: 't', step: 'work', attempt: 1, ...about } } })).turn
        .text;
    expect(await said('FIX the bug')).toBe('pattern');
    expect(await said('please fix')).toBe('text');
    expect(await said('please fix', { attempt: 2 })).toBe('second try');
    expect(await said('please fix', { step: 'review' })).toBe('reviewed');
    expect(await said('hello')).toBe('other');
  });

  test('has no rule for a prompt, or no scenario at all', async () => {
    const at = play('rules: [{when: x, steps: []}]');
    expect((await at.run({ prompt: 'y' })).turn.error).toMatchObject({
      class: 'tooling',
      message: expect.stringContaining('no rule for this prompt'),
    });
    expect((await at.run({ command: ['nowhere.yaml'] })).turn.error).toMatchObject({
      class: 'tooling',
      message: expect.stringMatching(/there is no scenario .*tree\/nowhere\.yaml/),
    });
    const { turn } = await attempt(stage(), { adapter: script });
    expect(turn.error).toMatchObject({
      class: 'tooling',
      message: expect.stringContaining('command: [scenario.yaml]'),
    });
  });

  test('names all that is wrong with its scenario', async () => {
    const { turn } = await play('rules:\n  - whne: x\n    steps:\n      - sya: a\n').run();
    expect(turn.error?.class).toBe('tooling');
    expect(turn.error?.message).toContain('scenario.yaml:2:5: unknown key "whne"; did you mean "when"?');
    expect(turn.error?.message).toContain('scenario.yaml:4:9: unknown key "sya"; did you mean "say"?');
  });
});

describe('its sessions', () => {
  const scenario = `
rules:
  - when: start
    turns:
      - [{say: 'one of {{first}}'}]
      - [{say: 'two of {{first}}, asked {{prompt}}'}]
      - [{say: 'turn {{turn}}'}]
  - {when: recall, seen: start, steps: [{say: 'you said {{first}}'}]}
  - {steps: [{say: nothing known}]}
`;

  test('go on where they were, with all that was said', async () => {
    const at = play(scenario);
    const first = await at.run({
      prompt: 'start A',
      request: { session: { kind: 'new', id: 'my-session' } },
    });
    expect(first.turn).toMatchObject({ session: 'my-session', text: 'one of start A' });
    const resume = (prompt: string) =>
      at.run({ prompt, request: { session: { kind: 'resume', id: 'my-session' } } });
    expect((await resume('go on')).turn).toMatchObject({
      session: 'my-session',
      text: 'two of start A, asked go on',
    });
    expect((await resume('recall')).turn.text).toBe('you said start A');
    expect((await resume('start B')).turn.text).toBe('turn 4');
    expect((await at.run({ prompt: 'recall' })).turn.text).toBe('nothing known');
  });

  test('fork: the copy goes its own way', async () => {
    const at = play(scenario);
    await at.run({ prompt: 'start A', request: { session: { kind: 'new', id: 'a' } } });
    const fork = await at.run({
      prompt: 'go on',
      request: { session: { kind: 'fork', id: 'a', newId: 'b' } },
    });
    expect(fork.turn).toMatchObject({ session: 'b', text: 'two of start A, asked go on' });
    const unnamed = await at.run({ prompt: 'x', request: { session: { kind: 'fork', id: 'a' } } });
    expect(unnamed.turn).toMatchObject({
      session: expect.stringMatching(/^[0-9a-f-]{36}$/),
      text: 'two of start A, asked x',
    });
    const again = await at.run({ prompt: 'back', request: { session: { kind: 'resume', id: 'a' } } });
    expect(again.turn.text).toBe('two of start A, asked back');
  });

  test('live in a home of their own, where there is one', async () => {
    const at = play(scenario);
    const home = path.join(at.root, 'home');
    await at.run({ agent: { home }, request: { session: { kind: 'new', id: 'a' } } });
    expect(fs.readdirSync(path.join(home, 'sessions'))).toEqual(['a.json']);
  });

  test('that nobody began, or somebody else did', async () => {
    const at = play(scenario);
    const lost = { class: 'tooling', newSession: true };
    const error = async (session: NonNullable<Wish['request']>['session']) =>
      (await at.run({ request: session ? { session } : {} })).turn.error;
    expect(await error({ kind: 'resume', id: 'x' })).toMatchObject({
      ...lost,
      message: 'no session with id x',
    });
    expect(await error({ kind: 'fork', id: 'x' })).toMatchObject({
      ...lost,
      message: 'no session with id x',
    });
    expect(await error({ kind: 'new', id: 'y' })).toBeUndefined();
    expect(await error({ kind: 'new', id: 'y' })).toMatchObject({
      ...lost,
      message: 'the session id y is in use',
    });
    expect(await error({ kind: 'resume', id: '../../etc/passwd' })).toMatchObject({ class: 'tooling' });
    expect(fs.readdirSync(path.join(at.root, 'attempts', 'sessions'))).toEqual(['y.json']);
  });

  test('remember a turn that was killed', async () => {
    const at = play('rules:\n  - turns:\n      - [{die: true}]\n      - [{say: "back in turn {{turn}}"}]\n');
    const killed = await at.run({ request: { session: { kind: 'new', id: 's' } } });
    expect(killed.turn).toMatchObject({ session: 's', error: { class: 'crashed' }, exit: { code: 137 } });
    const back = await at.run({ request: { session: { kind: 'resume', id: 's' } } });
    expect(back.turn.text).toBe('back in turn 2');
  });
});

describe('its permissions', () => {
  const all = steps('- edit: {path: a, write: x}\n- run: echo x > b\n- say: end');
  test.each([
    ['read', [], ['edit a: it may only read', 'run echo x > b: it may only read']],
    ['edit', ['a'], ['run echo x > b: it may only edit']],
    ['full', ['a', 'b'], []],
  ] as const)('%s', async (permission, files, denied) => {
    const at = play(all);
    const { turn } = await at.run({ agent: { permission } });
    expect(turn).toMatchObject({ text: 'end', denied });
    expect(fs.readdirSync(at.cwd).toSorted()).toEqual(files);
  });

  test('nothing outside the work tree is edited', async () => {
    const at = play(
      steps(
        [
          '- edit: {path: ../out, write: x}',
          '- edit: {path: /tmp/docket-out, write: x}',
          '- edit: {path: link/out, write: x}',
          '- edit: {path: dangling, write: x}',
          '- edit: {path: loop, write: x}',
          '- edit: {path: ., delete: true}',
          '- edit: {path: a/../../out, append: x}',
          '- edit: {path: target, delete: true}',
          '- edit: {path: fine/../ok, write: x}',
          '- say: end',
        ].join('\n'),
      ),
    );
    fs.mkdirSync(path.join(at.root, 'elsewhere'));
    fs.writeFileSync(path.join(at.root, 'secret'), 's');
    fs.symlinkSync(path.join(at.root, 'elsewhere'), path.join(at.cwd, 'link'));
    fs.symlinkSync(path.join(at.root, 'made'), path.join(at.cwd, 'dangling'));
    fs.symlinkSync('loop', path.join(at.cwd, 'loop'));
    fs.symlinkSync(path.join(at.root, 'secret'), path.join(at.cwd, 'target'));
    const before = fs.readdirSync(at.root).toSorted();
    const { turn } = await at.run();
    expect(turn.denied).toHaveLength(8);
    expect(turn.files).toEqual([{ path: 'fine/../ok', change: 'add' }]);
    expect(fs.readdirSync(at.root).toSorted()).toEqual([...before, 'attempts'].toSorted());
    expect(fs.readFileSync(path.join(at.root, 'secret'), 'utf8')).toBe('s');
    expect(fs.existsSync('/tmp/docket-out')).toBe(false);
  });
});

describe('its faults', () => {
  test.each<[string, object]>([
    [
      '- exit: 7',
      { error: { class: 'crashed', message: 'the scenario ends with code 7' }, exit: { code: 7 } },
    ],
    ['- say: half\n- exit: 0', { error: { class: 'crashed' } }],
    ['- die: true', { error: { class: 'crashed' }, exit: { code: 137 } }],
    ['- silence: true', { error: { class: 'crashed' }, exit: { code: 0 } }],
    [
      '- limit: {text: "You\'ve hit your limit · resets in 2h"}',
      { error: { class: 'limit', resetAt: expect.any(String) }, exit: { code: 0 } },
    ],
    ['- limit: {in: 60}', { error: { class: 'limit', resetAt: expect.any(String) }, exit: { code: 1 } }],
    ['- limit: {resetsAt: 1}', { error: { class: 'limit' } }],
    ['- garbage: true\n- say: end', { text: 'end', exit: { code: 0 } }],
    ['- report: {status: no}', { structured: { status: 'no' } }],
    ['[]', { error: { class: 'crashed', message: 'the agent exited 0 without a report' } }],
  ])('%s', async (yaml, turn) => {
    expect((await play(steps(yaml)).run()).turn).toMatchObject(turn);
  });

  test('a hang ends with the time it may take', async () => {
    const limits = { wallMs: 60_000, silenceMs: 500, toolSilenceMs: 60_000, graceMs: 200, outputBytes: 1e9 };
    const { turn } = await play(steps('- say: hm\n- hang: true')).run({ agent: { limits } });
    expect(turn).toMatchObject({ error: { class: 'stall' }, exit: { stopped: 'stall' } });
  });

  test('a line too long to be read', async () => {
    const { turn } = await play(steps('- garbage: 40000000\n- say: end')).run();
    expect(turn).toMatchObject({ text: 'end', warnings: [expect.stringContaining('40000000 bytes')] });
  });
});

describe('taken over from a docket that died', () => {
  test('a turn counts once, and its answer is read from the beginning', async () => {
    const at = play('rules:\n  - turns: [[{say: "turn {{turn}}"}], [{say: second}]]\n');
    const session = { kind: 'new', id: 's' } as const;
    const first = await at.run({ prompt: 'p', request: { session } });
    const mark = (JSON.parse(fs.readFileSync(path.join(first.dir, 'start.json'), 'utf8')) as { mark: string })
      .mark;
    const again = { ...at, next: () => first.dir };
    const wish: Wish = { adapter: script, command: ['unused'], prompt: 'p', request: { session } };
    const { turn } = await attempt(again, { ...wish, options: { adopt: true, mark } });
    expect(turn).toMatchObject({ session: 's', text: 'turn 1', exit: { code: 0 } });
    const resumed = await at.run({ request: { session: { kind: 'resume', id: 's' } } });
    expect(resumed.turn.text).toBe('second');
  });
});
