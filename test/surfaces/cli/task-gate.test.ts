import { describe, expect, it } from 'vitest';
import { directory, fakeDirectories, gate, waiting } from './fake-directories.ts';
import { docket, json } from './fake-world.ts';

const old = gate({ blockedAt: '2026-03-01T09:00:00Z', reason: 'Older\u001B[2J\nfake' });
const answered = gate({
  state: 'rejected',
  resolvedBy: 'bob',
  resolvedAt: '2026-03-01T11:59:00Z',
  note: 'no\u0007',
});
const tasks = () => [
  waiting({ 'gate-z': answered, 'gate-b': gate() }),
  waiting({ 'gate-c': old }, { id: 'task-2' }),
  directory({ id: 'task-3' }),
];
const gates = (words: string[], setting: Parameters<typeof docket>[1] = {}) => {
  const fake = fakeDirectories({ tasks: tasks() });
  return docket(['gate', ...words], { gates: fake.gates, ...setting }).then((ended) => ({
    ...ended,
    calls: fake.calls,
  }));
};

describe('docket gate list', () => {
  it('shows what waits in all tasks, the oldest first, and how to answer it', async () => {
    const ended = await gates(['list']);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(ended.stdout.split('\n')).toEqual([
      String.raw`gate-c of task-2  waits 3h  Older\e[2J fake`,
      '  docket gate approve task-2 gate-c --note "…"',
      '  docket gate reject task-2 gate-c --note "…"',
      'gate-b of task-1  waits 12m  Which port?',
      '  docket gate approve task-1 gate-b --note "…"',
      '  docket gate reject task-1 gate-b --note "…"',
      '',
    ]);
  });

  it('shows all of one task, those that wait first', async () => {
    const lines = (await gates(['list', 'task-1'])).stdout.trimEnd().split('\n');
    expect([lines[0], lines[3]]).toEqual([
      'gate-b of task-1  waits 12m  Which port?',
      String.raw`gate-z of task-1  rejected by bob 1m ago: no\x07  [Which port?]`,
    ]);
    expect(lines).toHaveLength(4);
  });

  it('is JSON', async () => {
    const answer = json(await gates(['list', '--json']));
    expect(answer).toMatchObject({
      ok: true,
      gates: [
        { task: 'task-2', gate: 'gate-c', reason: old.reason, state: 'blocked' },
        { task: 'task-1', gate: 'gate-b' },
      ],
    });
    expect(json(await gates(['list', 'task-3', '--json']))).toEqual({ v: 1, ok: true, gates: [] });
  });

  it('says so when there is nothing, or no such task', async () => {
    const none = await docket(['gate', 'list']);
    expect(none).toMatchObject({ code: 0, stdout: '', stderr: 'No gate waits for a person.\n' });
    expect((await gates(['list', 'task-3'])).stderr).toBe('This task has no gates.\n');
    expect((await gates(['list', 'nope'])).code).toBe(3);
  });
});

describe('docket gate approve and reject', () => {
  it('need no name of the gate where exactly one waits', async () => {
    const ended = await gates(['approve', 'task-1', '--json']);
    expect(ended.calls).toEqual([['answer', 'task-1', 'gate-b', { decision: 'approved', by: 'human' }]]);
    expect(json(ended)).toMatchObject({ ok: true, gate: 'gate-b', decision: 'approved' });
    expect(await gates(['approve', 'task-3'])).toMatchObject({ code: 3, calls: [] });
    const two = fakeDirectories({ tasks: [waiting({ 'gate-a': gate(), 'gate-b': gate() })] });
    const asked = await docket(['gate', 'reject', 'task-1', '--note', 'no'], { gates: two.gates });
    expect([asked.code, two.calls]).toEqual([2, []]);
    expect(asked.stderr).toContain('gate-a, gate-b');
  });

  it('answers in the name of who sits there', async () => {
    const words = ['approve', 'task-1', 'gate-b', '--note', 'Port 8080', '--choice', 'once'];
    const ended = await gates(words, { env: { USER: ' ', LOGNAME: 'ann' } });
    const answer = { decision: 'approved', note: 'Port 8080', choice: 'once', by: 'ann' };
    expect(ended.calls).toEqual([['answer', 'task-1', 'gate-b', answer]]);
    expect([ended.code, ended.stdout]).toEqual([0, 'approved gate-b of task-1; it is blocked\n']);
    expect(ended.stderr).toBe('Next: docket task resume task-1\n');
    const nobody = await gates(['approve', 'task-1', 'gate-b']);
    expect(nobody.calls).toEqual([['answer', 'task-1', 'gate-b', { decision: 'approved', by: 'human' }]]);
  });

  it('says what else waits', async () => {
    const fake = fakeDirectories({ tasks: [waiting({ 'gate-b': gate(), 'gate-c': gate() })] });
    const ended = await docket(['gate', 'reject', 'task-1', 'gate-b', '--note', 'no'], { gates: fake.gates });
    expect(ended.stdout).toBe('rejected gate-b of task-1; it is blocked\n');
    expect(ended.stderr).toBe('Still waiting: 1. See: docket gate list task-1\n');
  });

  it.each([
    ['approve', 'approved gate-b of task-1; it can go on\n'],
    ['reject', 'rejected gate-b of task-1; that step is over, and the rest can go on\n'],
  ])('%s says what may go on', async (word, told) => {
    const queued = waiting({ 'gate-b': gate() }, { status: 'queued' });
    const fake = fakeDirectories({ tasks: [queued] });
    const ended = await docket(['gate', word, 'task-1', 'gate-b', '--note', 'x'], { gates: fake.gates });
    expect([ended.stdout, ended.stderr]).toEqual([told, 'Next: docket task resume task-1\n']);
  });

  it('leaves the rest to a run that is under way', async () => {
    const fake = fakeDirectories({
      tasks: [waiting({ 'gate-b': gate() }, { status: 'running' })],
    });
    const ended = await docket(['gate', 'approve', 'task-1', 'gate-b'], { gates: fake.gates });
    expect(ended.stderr).toBe('The run that is under way goes on with it.\n');
  });

  it('is JSON', async () => {
    const answer = json(await gates(['reject', 'task-1', 'gate-b', '--note', 'no', '--json']));
    expect(answer).toMatchObject({
      v: 1,
      ok: true,
      id: 'task-1',
      status: 'blocked',
      gate: 'gate-b',
      decision: 'rejected',
    });
  });

  it.each([
    [2, ['reject', 'task-1', 'gate-b'], 'docket gate reject needs --note'],
    [2, ['approve'], 'docket gate approve needs <task> [gate]'],
    [2, ['reject', 'task-1', 'gate-b', '--choice', 'x'], 'unknown option --choice'],
    [3, ['approve', 'task-1', 'gate-q'], 'task task-1 has no gate gate-q'],
    [3, ['approve', 'nope', 'gate-b'], 'there is no task "nope"'],
    [4, ['approve', 'task-1', 'gate-z'], 'gate gate-z was rejected already'],
  ])('ends with %i for %j: %s', async (code, words, message) => {
    const ended = await gates(words);
    expect([ended.code, ended.stdout]).toEqual([code, '']);
    expect(ended.stderr).toContain(message);
  });
});

describe('docket answer', () => {
  const answer = async (words: string[], waits = gate()) => {
    const fake = fakeDirectories({ tasks: [waiting({ 'gate-b': waits })] });
    return { ...(await docket(['answer', ...words], { gates: fake.gates })), calls: fake.calls };
  };

  it('takes the text behind the task as the answer, or as the reason of a no', async () => {
    const yes = { decision: 'approved', note: 'Port 8080', by: 'human' };
    expect((await answer(['task-1', 'Port 8080'])).calls).toEqual([['answer', 'task-1', 'gate-b', yes]]);
    const no = { decision: 'rejected', note: 'Out of scope', by: 'human' };
    const rejected = await answer(['task-1', '--no', 'Out of scope']);
    expect(rejected.calls).toEqual([['answer', 'task-1', 'gate-b', no]]);
  });

  it('says how to answer it where a question got no text', async () => {
    const question = { ...gate(), questions: ['Which port?'] };
    const ended = await answer(['task-1'], question);
    expect([ended.code, ended.calls]).toEqual([2, []]);
    expect(ended.stderr).toContain('answer it with "your answer" behind the task (see docket answer --help)');
  });
});
