import { describe, expect, it } from 'vitest';
import { DocketError } from '../../../src/errors.ts';
import { parseLine } from '../../../src/surfaces/cli/frame/parse.ts';

async function problem(...argv: string[]): Promise<DocketError> {
  try {
    await parseLine(argv);
  } catch (error) {
    if (error instanceof DocketError) return error;
    throw error;
  }
  throw new Error(`parsed: ${argv.join(' ')}`);
}

describe('parseLine', () => {
  it('takes global options anywhere on the line', async () => {
    for (const argv of [
      ['--root', '/x', '--json', 'list', '--status', 'done'],
      ['list', '--status=done', '--root=/x', '--json'],
      ['--status', 'done', '--json', 'list', '--root', '/x'],
    ]) {
      const { globals, command, args } = await parseLine(argv);
      expect(globals).toMatchObject({ root: '/x', json: true, quiet: false });
      expect(command?.name).toBe('list');
      expect(args.options.get('status')).toEqual(['done']);
      expect(args.operands).toEqual([]);
    }
  });

  it('keeps words, a lone dash and everything after --', async () => {
    expect((await parseLine(['add', 'fix', 'the', 'test'])).args.operands).toEqual(['fix', 'the', 'test']);
    expect((await parseLine(['add', '-'])).args.operands).toEqual(['-']);
    const { args, globals } = await parseLine(['add', '--', '--json', '-x']);
    expect(args.operands).toEqual(['--json', '-x']);
    expect(globals.json).toBe(false);
  });

  it('collects repeated options and lists with commas', async () => {
    expect((await parseLine(['add', 'x', '--needs', 'a', '--needs=b,c'])).args.options.get('needs')).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  it('takes a negative number as a value', async () => {
    expect((await parseLine(['add', 'x', '--priority', '-5'])).args.options.get('priority')).toEqual(['-5']);
  });

  it('takes a value that begins with a dash when it is attached', async () => {
    expect((await parseLine(['add', 'x', '--name=-odd'])).args.options.get('name')).toEqual(['-odd']);
  });

  it.each([
    [['lst'], 'unknown command "lst"', 'list'],
    [['--jsn', 'list'], 'unknown option --jsn', '--json'],
    [['list', '--statsu', 'done'], 'unknown option --statsu', '--status'],
    [['list', '--name', 'x'], 'unknown option --name for "docket list"', undefined],
    [['--bogus', 'value', 'list'], 'unknown option --bogus', undefined],
    [['list', '--status', 'pending'], '--status cannot be "pending"', 'queued'],
    [['list', '--status', 'queued,runing'], '--status cannot be "runing"', 'running'],
    [['list', '--status', 'Done'], '--status cannot be "Done"', 'done'],
    [['completion', 'bahs'], '<shell> cannot be "bahs"', 'bash'],
    [['ls'], 'unknown command "ls"', 'list'],
    [['strat'], 'unknown command "strat"', 'run'],
    [['zzzzzz'], 'unknown command "zzzzzz"', undefined],
    [['tsak', 'list'], 'unknown command "tsak"', 'task'],
    [['task', 'shwo', 'x'], 'unknown command "task shwo"', 'task show'],
    [['gate', 'aprove', 'x', 'y'], 'unknown command "gate aprove"', 'gate approve'],
    [['packet', 'show', 'p'], 'unknown command "packet show"', 'packet status'],
    [['board', 'show'], 'unknown command "board show"', 'board status'],
    [['packet', 'logs', 'p'], 'unknown command "packet logs"', 'logs'],
    [['packet', 'constructor'], 'unknown command "packet constructor"', undefined],
    [['task', 'create', '--topology', 'swam'], '--topology cannot be "swam"', 'swarm'],
    [['task', 'run', 'x', '--max-round', '3'], 'unknown option --max-round', '--max-rounds'],
  ])('%j: %s, did you mean %s', async (argv, message, suggestion) => {
    const error = await problem(...argv);
    expect(error.code).toBe('USAGE');
    expect(error.exitCode).toBe(2);
    expect(error.message).toContain(message);
    expect(error.data['suggestion']).toBe(suggestion);
    expect(error.fix.includes('did you mean')).toBe(suggestion !== undefined);
  });

  it.each([
    [['list', '--status'], '--status needs a value'],
    [['list', '--status='], '--status needs a value'],
    [['list', '--root', ''], '--root needs a value'],
    [['list', '--root', '--json'], '--root needs a value'],
    [['list', '--status', 'queued,'], '--status cannot be ""'],
    [['list', '--json=yes'], '--json takes no value'],
    [['list', 'extra'], 'docket list takes no words, but got "extra"'],
    [['add', 'x', '--priority', 'high'], '--priority cannot be "high"'],
    [['add', 'x', '--priority', '1.5'], '--priority cannot be "1.5"'],
    [['add', 'x', '-v'], 'unknown option -v for "docket add"'],
    [['add', 'x', '-n'], 'unknown option -n'],
    [['completion'], 'docket completion needs <shell>'],
    [['task', 'show'], 'docket task show needs <task>'],
    [['gate', 'approve'], 'docket gate approve needs <task> [gate]'],
    [['task', 'events', 'x', '--limit', 'all'], '--limit cannot be "all"'],
    [['completion', 'bash', 'zsh'], 'takes no more than 1'],
  ])('refuses %j: %s', async (argv, message) => {
    const error = await problem(...argv);
    expect(error.code).toBe('USAGE');
    expect(error.message).toContain(message);
    expect(error.fix).not.toBe('');
  });

  it('says how to use an option-like word as text', async () => {
    expect((await problem('add', 'handle', '-v')).fix).toContain('put -- before it');
  });

  it('does not let a long text of a typed command cost time', async () => {
    expect((await problem('x'.repeat(100_000))).message).toContain('unknown command');
  });
});
