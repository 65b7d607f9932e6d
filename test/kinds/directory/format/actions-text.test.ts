import { describe, expect, it } from 'vitest';
import { subtaskFields } from '../../../../src/kinds/directory/format/action-fields.ts';
import { readActions } from '../../../../src/kinds/directory/format/actions.ts';
import { actions, known, problemsIn, read, subtask } from './actions-support.ts';

describe('what is too large', () => {
  it('a prompt of 40 MB is told by its place and length, and not repeated', () => {
    const problems = problemsIn(actions(subtask('a'), subtask('b', { prompt: 'x'.repeat(40 * 1024 ** 2) })));
    expect(problems).toEqual([
      {
        path: '$.tasks[1].prompt',
        message: 'is 41943040 characters long; at most 40000 are allowed',
        fix: subtaskFields.prompt,
      },
    ]);
  });

  it.each([
    ['a text without end', 'x'.repeat(64 * 1024 ** 2 + 1), 'at most 67108864'],
    ['a deep one', '['.repeat(10_000_000), 'nested more than 32 levels'],
    ['a broad one', `[${'{},'.repeat(3_000_000)}{}]`, 'more than 1000000 values'],
    ['long digits', '9'.repeat(30_000_000), 'not valid JSON'],
  ])('%s', (_, text, message) => {
    const [problem, ...more] = problemsIn(text);
    expect(problem?.message).toContain(message);
    expect(JSON.stringify([problem, more]).length).toBeLessThan(500);
  });

  it('too many subtasks, unknown keys or problems', () => {
    const many = Array.from({ length: 1001 }, (_, n) => subtask(`t${n}`));
    expect(problemsIn(actions(...many))).toEqual([
      {
        path: '$.tasks',
        message: 'holds 1001 subtasks; at most 1000 are allowed',
        fix: 'give them in several rounds',
      },
    ]);
    expect(read(actions(...many.slice(1))).tasks).toHaveLength(1000);
    const keys = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`k${n}`, n]));
    expect(problemsIn({ ...actions(subtask('a')), ...keys })).toHaveLength(20);
    const wrong = Array.from({ length: 1000 }, (_, n) => n);
    expect(problemsIn(actions(...wrong)).at(-1)?.message).toBe('and 500 problems more');
  });
});

describe('the text', () => {
  it('that is not JSON is told with line and column', () => {
    expect(problemsIn('{\n  "sessionGoal": "x",\n  "tasks": [}\n')).toEqual([
      { path: '$', message: 'is not valid JSON: line 3, column 13: expected a value', fix: 'mend the JSON' },
    ]);
    expect(problemsIn('')[0]?.message).toContain('line 1, column 1: it ends too early');
  });

  it('may begin with a byte order mark', () => {
    expect(problemsIn(`\uFEFF${JSON.stringify(actions(subtask('a')))}`)).toEqual([]);
  });

  it('of a file is JSON alone; of a model it may have words and a fence around', () => {
    const json = JSON.stringify(
      actions(subtask('a', { prompt: 'Write {"a": 1} into a `file`' })),
      undefined,
      2,
    );
    const answer = `I looked at it: {"files": 3}.\n\n\`\`\`json\n${json}\n\`\`\`\nTell me when {they} are done.`;
    expect(readActions(answer, known)).toHaveProperty('problems');
    expect(readActions(answer, known, 'model')).toEqual({ actions: JSON.parse(json) as unknown });
  });

  it('of a model that holds none says so, or where it breaks', () => {
    const problem = (text: string) => problemsWith(readActions(text, known, 'model'));
    expect(problem('I have nothing to say.')).toEqual(['the answer holds no actions']);
    expect(problem('See {"files": 3}')).toEqual(['the answer holds no actions']);
    expect(problem('Here:\n{"sessionGoal": "x",\n "tasks": [{"taskId": "a",}]}')).toEqual([
      'is not valid JSON: line 3, column 27: expected a key in double quotes',
    ]);
  });
});

function problemsWith(result: ReturnType<typeof readActions>): string[] {
  return 'problems' in result ? result.problems.map(({ message }) => message) : [];
}

describe('slips', () => {
  it('a key that stands twice is named, and nothing is guessed', () => {
    const twice = '{"sessionGoal": "a", "tasks": [], "sessionGoal": "b"}';
    expect(problemsIn(twice)).toMatchObject([
      { message: expect.stringContaining('"sessionGoal" stands here twice') },
    ]);
  });

  it('a word that is like none of the known keys is not taken for a long one', () => {
    const [problem] = problemsIn(actions(subtask('a', { foo: 1 })));
    expect(problem?.fix).toMatch(/^Allowed here: /);
  });
});
