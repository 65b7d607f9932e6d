import { describe, expect, it } from 'vitest';
import { actions, problemsIn, read, subtask } from './actions-support.ts';

describe('names', () => {
  it.each([
    ['taskIds', [subtask('a'), subtask('a')], '$.tasks[1].taskId'],
    ['taskIds in another case', [subtask('Build'), subtask('build')], '$.tasks[1].taskId'],
    [
      'instances',
      [subtask('a', { agentInstance: 'x' }), subtask('b', { agentInstance: 'X' })],
      '$.tasks[1].agentInstance',
    ],
    [
      'an instance and a taskId',
      [subtask('a'), subtask('b', { agentInstance: 'a' })],
      '$.tasks[1].agentInstance',
    ],
    ['a taskId and an instance', [subtask('a', { agentInstance: 'b' }), subtask('b')], '$.tasks[1].taskId'],
  ])('are not given twice: %s', (_, tasks, path) => {
    const problems = problemsIn(actions(...tasks));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({
      path,
      message: expect.stringContaining('taken by $.tasks[0]') as string,
    });
  });

  it('may be swapped, as long as each is one', () => {
    const swapped = [subtask('a', { agentInstance: 'b' }), subtask('b', { agentInstance: 'a' })];
    expect(read(actions(...swapped)).tasks).toHaveLength(2);
  });

  it('are not those of the planner', () => {
    const [problem] = problemsIn(actions(subtask('a', { agentInstance: 'Orchestrator-2' })));
    expect(problem).toMatchObject({
      path: '$.tasks[0].agentInstance',
      message: '"Orchestrator-2" is kept for the planner',
    });
    expect(problemsIn(actions(subtask('orchestrator')))).toEqual([]);
  });

  it('of earlier rounds are taken', () => {
    const [problem] = problemsIn(actions(subtask('Old')), { steps: ['old'] });
    expect(problem).toMatchObject({
      path: '$.tasks[0].taskId',
      fix: expect.stringContaining('resume') as string,
    });
  });
});

describe('needs', () => {
  it('may be subtasks of the document or of earlier rounds', () => {
    const tasks = [subtask('a', { needs: ['b', 'old'] }), subtask('b')];
    expect(read(actions(...tasks), { steps: ['old'] }).tasks[0]?.needs).toEqual(['b', 'old']);
  });

  it.each([
    [
      'unknown',
      [subtask('one'), subtask('b', { needs: ['one', 'oen'] })],
      '$.tasks[1].needs[1]',
      'no subtask "oen"',
      'did you mean "one"?',
    ],
    ['itself', [subtask('a', { needs: ['a'] })], '$.tasks[0].needs', '"a" waits for itself', 'take'],
    [
      'a cycle',
      [
        subtask('x'),
        subtask('a', { needs: ['c', 'x'] }),
        subtask('b', { needs: ['a'] }),
        subtask('c', { needs: ['b'] }),
      ],
      '$.tasks[1].needs',
      '"a" → "c" → "b" → "a"',
      'take',
    ],
  ])('are sound: %s', (_, tasks, path, message, fix) => {
    expect(problemsIn(actions(...tasks))).toEqual([
      {
        path,
        message: expect.stringContaining(message) as string,
        fix: expect.stringContaining(fix) as string,
      },
    ]);
  });

  it('tell each knot once, and not what waits behind it', () => {
    const tasks = [
      subtask('a', { needs: ['b'] }),
      subtask('b', { needs: ['a'] }),
      subtask('c', { needs: ['d', 'a'] }),
      subtask('d', { needs: ['c'] }),
      subtask('e', { needs: ['d'] }),
    ];
    expect(problemsIn(actions(...tasks)).map(({ path }) => path)).toEqual([
      '$.tasks[0].needs',
      '$.tasks[2].needs',
    ]);
  });

  it('that are all unknown cost no more than a few', () => {
    const far = Array.from({ length: 300 }, (_, n) => `${'x'.repeat(60)}${n}`);
    const tasks = Array.from({ length: 300 }, (_, n) => subtask(`${'y'.repeat(60)}${n}`, { needs: far }));
    expect(problemsIn(actions(...tasks))).toHaveLength(20);
  });

  it('are followed without a deep stack, however dense', () => {
    const ids = Array.from({ length: 1000 }, (_, n) => `t${n}`);
    const dense = ids.map((id, n) => subtask(id, { needs: ids.slice(0, n) }));
    expect(read(actions(...dense)).tasks).toHaveLength(1000);
    const knotted = ids.map((id, n) => subtask(id, { needs: ids.slice(0, Math.max(1, n)) }));
    expect(problemsIn(actions(...knotted))).toHaveLength(1);
  });
});

describe('sessions to fork', () => {
  const fork = actions(subtask('a', { mode: 'fork', forkedFromThreadId: 'thr-1' }));
  it('may be any where nobody says which there are', () => {
    expect(read(fork).tasks).toHaveLength(1);
  });

  it('are those of the task where somebody does', () => {
    expect(read(fork, { sessions: ['thr-1'] }).tasks).toHaveLength(1);
    expect(problemsIn(fork, { sessions: ['thr-2'] })).toEqual([
      {
        path: '$.tasks[0].forkedFromThreadId',
        message: 'no session "thr-1" is known',
        fix: 'did you mean "thr-2"?',
      },
    ]);
  });
});
