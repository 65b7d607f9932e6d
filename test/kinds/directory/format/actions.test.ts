import { describe, expect, it } from 'vitest';
import { subtaskFields } from '../../../../src/kinds/directory/format/action-fields.ts';
import { actions, problemsIn, read, subtask } from './actions-support.ts';

const without = (key: string) =>
  Object.fromEntries(Object.entries(subtask('a')).filter(([name]) => name !== key));

describe('Parse actions from orchestrator', () => {
  it('gives the subtasks of a plain document', () => {
    expect(read(actions(subtask('a'), subtask('b', { adapter: 'codex-app-server' })))).toEqual(
      actions(subtask('a'), subtask('b', { adapter: 'codex-app-server' })),
    );
  });

  it('takes every optional field', () => {
    const full = subtask('b', {
      agentInstance: 'b-1',
      adapter: 'my.agent',
      mode: 'fork',
      forkedFromThreadId: '0199a213-81c0-7800-8aa1-bbab2a035a53',
      cwd: 'packages/one',
      outputSchemaPath: './schemas/own.json',
      needs: ['a'],
      timeoutSeconds: 86_400,
      model: 'openai/gpt-5:high',
      retries: 10,
      milestone: 'm1',
    });
    expect(Object.keys(full).toSorted()).toEqual(Object.keys(subtaskFields).toSorted());
    expect(read(actions(subtask('a'), full)).tasks[1]).toEqual(full);
  });

  it('counts characters as JSON schemas do', () => {
    const prompt = '👍'.repeat(40_000);
    expect(read(actions(subtask('a', { prompt }))).tasks[0]?.prompt).toBe(prompt);
    expect(problemsIn(actions(subtask('a', { prompt: `${prompt}!` })))).toHaveLength(1);
  });

  it('tells all problems at once', () => {
    const document = {
      goal: 'x',
      tasks: [subtask('../x', { promt: 'x' }), subtask('b', { adapter: 'nobody' })],
    };
    expect(problemsIn(document).map(({ path }) => path)).toEqual([
      '$.sessionGoal',
      '$.tasks[0].taskId',
      '$.tasks[0].promt',
      '$.goal',
      '$.tasks[1].adapter',
    ]);
  });
});

describe('an actions document is refused, with the place and the fix', () => {
  it.each([
    ['no goal', { tasks: [subtask('a')] }, '$.sessionGoal', 'is required', '1 to 4000'],
    [
      'an empty goal',
      { ...actions(subtask('a')), sessionGoal: '' },
      '$.sessionGoal',
      'is empty',
      '1 to 4000',
    ],
    ['no tasks', { sessionGoal: 'x' }, '$.tasks', 'is required', 'at least one'],
    ['empty tasks', actions(), '$.tasks', 'is empty', 'at least one'],
    ['tasks that are no list', { sessionGoal: 'x', tasks: {} }, '$.tasks', 'must be a list', ''],
    ['a list', [], '$', 'must be keys with values', 'write {'],
    ['null', null, '$', 'must be keys with values', 'write {'],
    ['a text', '"x"', '$', 'must be keys with values', 'write {'],
    ['a subtask that is none', actions('x'), '$.tasks[0]', 'must be keys with values', '"taskId"'],
    [
      'an unknown key',
      actions(subtask('a', { promt: 'x' })),
      '$.tasks[0].promt',
      'unknown key "promt"',
      '"prompt"?',
    ],
    ['an unknown key at the top', { ...actions(subtask('a')), task: 1 }, '$.task', 'unknown key', '"tasks"?'],
    [
      'a far key',
      actions(subtask('a', { zzzzz: 1 })),
      '$.tasks[0].zzzzz',
      'unknown key',
      'Allowed here: taskId',
    ],
    [
      'a long title',
      actions(subtask('a', { title: 'x'.repeat(201) })),
      '$.tasks[0].title',
      'is 201 characters',
      '200',
    ],
    [
      'a long goal',
      { ...actions(subtask('a')), sessionGoal: 'x'.repeat(4001) },
      '$.sessionGoal',
      'is 4001',
      '4000',
    ],
    [
      'another mode',
      actions(subtask('a', { mode: 'join' })),
      '$.tasks[0].mode',
      '"join" is not one of spawn, fork',
      'spawn',
    ],
    [
      'a fork without a parent',
      actions(subtask('a', { mode: 'fork' })),
      '$.tasks[0].forkedFromThreadId',
      'is missing',
      'add the id',
    ],
    [
      'an empty parent',
      actions(subtask('a', { mode: 'fork', forkedFromThreadId: '' })),
      '$.tasks[0].forkedFromThreadId',
      'is missing',
      'add the id',
    ],
    [
      'an unknown adapter',
      actions(subtask('a', { adapter: 'codex-exe' })),
      '$.tasks[0].adapter',
      'no agent "codex-exe"',
      'did you mean "codex-exec"?',
    ],
    [
      'an unknown agent',
      actions(subtask('a', { adapter: 'claud' })),
      '$.tasks[0].adapter',
      'no agent',
      'did you mean "claude"?',
    ],
    [
      'an unknown milestone',
      actions(subtask('a', { milestone: 'm3' })),
      '$.tasks[0].milestone',
      'no milestone "m3"',
      'm1',
    ],
    [
      'a fraction',
      actions(subtask('a', { timeoutSeconds: 1.5 })),
      '$.tasks[0].timeoutSeconds',
      'must be a whole number',
      '86400',
    ],
    [
      'no time at all',
      actions(subtask('a', { timeoutSeconds: 0 })),
      '$.tasks[0].timeoutSeconds',
      'must be a whole number from 1 to 86400',
      '86400',
    ],
    [
      'many retries',
      actions(subtask('a', { retries: 11 })),
      '$.tasks[0].retries',
      'must be a whole number from 0 to 10',
      '0 to 10',
    ],
    [
      'a word of JavaScript',
      actions(subtask('constructor')),
      '$.tasks[0].taskId',
      'a word of JavaScript',
      '',
    ],
    ['a prototype', `{"sessionGoal":"x","tasks":[],"__proto__":{}}`, '$.__proto__', 'unknown key', ''],
    ['null for a field', actions(subtask('a', { cwd: null })), '$.tasks[0].cwd', 'must be a text', 'root'],
  ])('%s', (_, document, path, message, fix) => {
    expect(problemsIn(document)).toContainEqual({
      path,
      message: expect.stringContaining(message) as string,
      fix: expect.stringContaining(fix) as string,
    });
  });

  it.each(['taskId', 'title', 'agent', 'adapter', 'prompt'])('no %s', (key) => {
    expect(problemsIn(actions(without(key)))).toEqual([
      { path: `$.tasks[0].${key}`, message: 'is required', fix: subtaskFields[key as 'taskId'] },
    ]);
  });

  const climbing = [
    '../x',
    '..',
    'a/../../x',
    '/etc/passwd',
    '..\\x',
    'C:\\x',
    'a\u0000b',
    'a\nb',
    '-x/../y',
  ];
  const fields = [
    'taskId',
    'agentInstance',
    'agent',
    'adapter',
    'cwd',
    'outputSchemaPath',
    'milestone',
    'model',
  ];
  it.each(fields)('a path that leads out, in %s', (key) => {
    const passed = climbing.filter((value) => {
      const problems = problemsIn(actions(subtask('a', { [key]: value })));
      return !problems.some(({ path }) => path === `$.tasks[0].${key}`);
    });
    expect(passed).toEqual([]);
  });

  it.each(climbing)('a path that leads out, as a need or a session: %j', (value) => {
    expect(problemsIn(actions(subtask('a', { needs: [value] })))[0]?.path).toBe('$.tasks[0].needs[0]');
    const fork = { mode: 'fork', forkedFromThreadId: value };
    expect(problemsIn(actions(subtask('a', fork)))[0]?.path).toBe('$.tasks[0].forkedFromThreadId');
  });

  it('a model or a session that would be an option', () => {
    for (const key of ['model', 'forkedFromThreadId']) {
      expect(problemsIn(actions(subtask('a', { [key]: '--danger' })))).toHaveLength(1);
    }
  });
});
