import { describe, expect, it } from 'vitest';
import { parseFlags, pythonJson } from '../../../src/project/compat/call.ts';
import { scripts } from '../../../src/project/compat/run.ts';
import { shellWords } from '../../../src/project/compat/workers.ts';
import { compatBoard } from '../../support/compat.ts';

const takes = (entry: string): string => scripts[entry]?.[0] ?? '';

describe("the original's flags", () => {
  it.each<[string, string[], Record<string, string>]>([
    ['init-task-board', ['--root', 'r', '--dry-run'], { root: 'r', 'dry-run': 'true' }],
    ['init-task-board', ['--root=a=b', '--root', 'r'], { root: 'r' }],
    [
      'claim-task',
      ['--root', 'r', '--task-id', 'T', '--agent', '-x'],
      { root: 'r', 'task-id': 'T', agent: '-x' },
    ],
    [
      'recover-stale-locks',
      ['--root', 'r', '--ttl-seconds', '5', '--apply'],
      { root: 'r', 'ttl-seconds': '5', 'grace-seconds': '15', run: 'apply' },
    ],
    ['synthesize-board', ['--root', 'r'], { root: 'r', 'task-id': '', actor: 'orchestrator' }],
  ])('%s %j', (entry, argv, values) => {
    expect(parseFlags(takes(entry), argv)).toEqual(values);
  });

  it.each<[string, string[], RegExp]>([
    ['init-task-board', [], /required: --root/],
    ['task_board route', ['--actor', 'a', '--text='], /required: --text/],
    ['init-task-board', ['--root', 'r', '--force'], /unknown argument: --force/],
    ['init-task-board', ['--root', 'r', 'more'], /unknown argument: more/],
    ['init-task-board', ['--root'], /--root: expected one argument/],
    ['init-task-board', ['--root', '--dry-run'], /--root: expected one argument/],
    ['orchestrator-router', ['--text', 'x', '--mode', 'fly'], /--mode: invalid choice: fly/],
    ['orchestrator-router', ['--text', 'x', '--dispatch-spawn'], /unknown argument: --dispatch-spawn/],
    ['recover-stale-locks', ['--root', 'r', '--ttl-seconds', 'ten'], /--ttl-seconds: invalid int value: ten/],
    [
      'rebuild-snapshot',
      ['--root', 'r', '--apply', '--dry-run'],
      /--dry-run: not allowed with argument --apply/,
    ],
  ])('%s refuses %j', (entry, argv, message) => {
    expect(() => parseFlags(takes(entry), argv)).toThrow(message);
  });

  it('ends with 2 and the usage on stderr; help is no error', async () => {
    const { run } = compatBoard();
    const ended = await run('scripts/claim-task', ['--root', 'r']);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(
      /^usage: claim-task --root <text>.*\nclaim-task: error: .*--task-id, --agent\n$/s,
    );
    expect(await run('lib/task_board.py', ['fly'])).toMatchObject({ code: 2, stdout: '' });
    expect((await run('dispatch-task', [])).stderr).toContain('usage: dispatch-task clarify');
    expect((await run('toString', [])).stderr).toContain('unknown script: toString');
    expect(await run('milestones', ['autopilot', '--help'])).toMatchObject({ code: 0, stderr: '' });
  });
});

it('prints JSON as Python does', () => {
  const value = { a: [1, 'ü\u{1F600}'], b: { c: null, d: true }, e: undefined, f: [], g: {} };
  const text = String.raw`{"a": [1, "\u00fc\ud83d\ude00"], "b": {"c": null, "d": true}, "f": [], "g": {}}`;
  expect(pythonJson(value)).toBe(text);
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
});

it.each([
  ['a b  c', ['a', 'b', 'c']],
  [`run --x '{task} $(id)' "a \\"b\\" \\n"`, ['run', '--x', '{task} $(id)', 'a "b" \\n']],
  [`a''b "" \\ c`, ['ab', '', ' c']],
  [`don't`, [`don't`]],
  ['', []],
])('cuts %j into words', (line, words) => {
  expect(shellWords(line)).toEqual(words);
});
