import { describe, expect, it } from 'vitest';
import type { Progress } from '../../../src/engine/progress.ts';
import { DocketError } from '../../../src/errors.ts';
import type { RanDirectory, TaskDirectory } from '../../../src/kinds/directory/api.ts';
import { directory, fakeDirectories, gate, runOf, waiting } from './fake-directories.ts';
import { docket, json, type Setting } from './fake-world.ts';

const step = { step: 'a', agent: 'codex', state: 'done', summary: 'Parsed it.\nmore', seconds: 1.25 };
const joined = runOf([{ id: 'a' }], { joinedAt: '2026-03-01T12:00:00Z' });
const done = directory(
  { status: 'done', summary: 'ok', owner: 'docket-7', run: joined },
  { state: 'completed' },
);

/** `docket task run|resume` on a task that comes out like this. */
function go(words: string[], out: Partial<RanDirectory> & TaskDirectory, setting: Setting = {}) {
  const fake = fakeDirectories({ tasks: [out], run: () => ({ steps: [step], interrupted: false, ...out }) });
  const { directories, gates } = fake;
  return docket(['task', ...words], { directories, gates, ...setting }).then((ended) => ({
    ...ended,
    calls: fake.calls,
  }));
}

describe('docket task run', () => {
  it('prints what came of it and where the results are', async () => {
    const ended = await go(['run', 'task-1'], done);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toBe('done     a  by codex, 1.3 s\n         Parsed it.\ntask-1 is completed\n');
    expect(ended.stderr).toBe(
      'The results together: .agentmesh/tasks/task-1/shared/reports/joined-summary.md\n',
    );
    expect(await go(['run', 'task-1', '--quiet'], done)).toMatchObject({ stdout: ended.stdout, stderr: '' });
    expect(ended.calls).toEqual([['run', 'task-1', { kind: 'rest' }]]);
  });

  it('prints the gates and the exact commands when a person must act', async () => {
    const options = [
      { id: 'once', kind: 'allow', text: 'Allow once' },
      { id: 'no', kind: 'deny', text: 'No' },
    ] as const;
    const one = waiting({ 'gate-b': gate(), 'gate-c': gate({ reason: 'May I?', options: [...options] }) });
    const ended = await go(['run', 'task-1'], one);
    expect(ended.code).toBe(5);
    expect(ended.stdout.split('\n').slice(2)).toEqual([
      'gate-b of task-1  waits 12m  Which port?',
      '  docket gate approve task-1 gate-b --note "…"',
      '  docket gate reject task-1 gate-b --note "…"',
      'gate-c of task-1  waits 12m  May I?',
      '  docket gate approve task-1 gate-c --choice=once   (Allow once)',
      '  docket gate reject task-1 gate-c --note "…"',
      'task-1 is input-required',
      '',
    ]);
    expect(ended.stderr).toBe('Next: answer, then docket task resume task-1\n');
  });

  it('names what is possible where one failed and another waits', async () => {
    const run = runOf([{ id: 'a' }, { id: 'b' }], {
      states: { a: { state: 'failed', since: '2026-03-01T12:00:00Z', reason: 'no' } },
      gates: { 'gate-b': gate() },
    });
    const ended = await go(['run', 'task-1'], {
      ...waiting({ 'gate-b': gate() }, { run }),
      steps: [{ ...step, state: 'failed' }],
    });
    expect(ended.stderr).toBe(
      'Next: answer, then docket task resume task-1; fix what failed, then docket task retry task-1 (why: docket task show task-1)\n',
    );
  });

  const limit = { kind: 'limit', text: 'until noon', who: 'docket' };
  it.each([
    ['all done', 0, done],
    [
      'done, after a round that mended what failed',
      0,
      { ...done, steps: [{ ...step, state: 'failed' }, step] },
    ],
    ['failed', 1, directory({ status: 'failed', failure: { error: 'b broke' } })],
    ['canceled meanwhile', 1, directory({ status: 'canceled', canceledBecause: 'x' })],
    [
      'one failed, another waits',
      5,
      { ...waiting({ 'gate-b': gate() }), steps: [{ ...step, state: 'failed' }] },
    ],
    ['a gate waits', 5, waiting({ 'gate-b': gate() })],
    [
      'nobody is logged in',
      5,
      directory({ status: 'blocked', reason: { ...limit, kind: 'auth', who: 'human' } }),
    ],
    ['a limit', 75, directory({ status: 'blocked', reason: limit })],
    ['interrupted', 130, { ...waiting({ 'gate-b': gate() }), interrupted: true }],
  ])('%s: exit code %i, also as JSON', async (_what, code, out) => {
    expect((await go(['run', 'task-1'], out)).code).toBe(code);
    const ended = await go(['run', 'task-1', '--json'], out);
    expect([ended.code, ended.stderr]).toEqual([code, '']);
    expect(json(ended)).toMatchObject({
      v: 1,
      ok: code === 0,
      id: 'task-1',
      status: out.task.status,
      steps: 'steps' in out ? out.steps : [step],
      ...(code !== 0 && { error: { code: 'RUN', data: { exitCode: code } } }),
    });
  });

  it('says why it stands still when no gate does', async () => {
    const out = directory({ status: 'blocked', reason: limit }, { state: 'input-required' });
    expect((await go(['run', 'task-1'], out)).stdout).toContain('task-1 is input-required: until noon\n');
  });

  it('takes actions from a file and from stdin, and names where they came from', async () => {
    const files = { '/project/actions.json': '{"a":1}' };
    const fromFile = await go(['run', 'task-1', '--actions', 'actions.json'], done, { files });
    expect(fromFile.calls).toEqual([
      ['run', 'task-1', { kind: 'actions', actions: '{"a":1}', source: 'actions.json' }],
    ]);
    const fromStdin = await go(['run', 'task-1', '--actions', '-'], done, { stdin: '{}' });
    expect(fromStdin.calls).toEqual([['run', 'task-1', { kind: 'actions', actions: '{}', source: 'stdin' }]]);
    const none = await go(['run', 'task-1', '--actions', 'none.json'], done, { files });
    expect([none.code, none.calls]).toEqual([3, []]);
  });

  it('takes a goal with who plans, and how agents are started', async () => {
    const words = [
      '--goal',
      'Port it',
      '--agent',
      'claude',
      '--max-rounds',
      '3',
      '--parallel',
      '4',
      '--emulate-fork',
    ];
    const ended = await go(['run', 'task-1', ...words], done);
    const input = {
      kind: 'goal',
      goal: 'Port it',
      agent: 'claude',
      maxRounds: 3,
      parallel: 4,
      emulateFork: true,
    };
    expect(ended.calls).toEqual([['run', 'task-1', input]]);
    const usual = await go(['run', 'task-1', '--goal', 'x'], done);
    expect(usual.calls).toEqual([['run', 'task-1', { kind: 'goal', goal: 'x', maxRounds: 5 }]]);
  });

  it.each([
    [['--goal', 'x', '--actions', 'y'], 'give one of them'],
    [['--agent', 'x'], '--agent is about planning'],
    [['--actions', '-', '--max-rounds', '2'], '--max-rounds is about planning'],
    [['--goal', 'x', '--max-rounds', '0'], '--max-rounds 0 is not a number from 1 to 100'],
    [['--parallel', '65'], '--parallel 65 is not a number from 1 to 64'],
    [['more'], 'takes no more than 1'],
  ])('refuses %j: %s', async (words, message) => {
    const ended = await go(['run', 'task-1', ...words], done);
    expect([ended.code, ended.stdout, ended.calls]).toEqual([2, '', []]);
    expect(ended.stderr).toContain(message);
  });

  it('tells what happens on stderr, one harmless line each, and nothing with --json', async () => {
    const ref = { kind: 'task', id: 'task-1', name: 'task-1', title: 'One' } as const;
    const about = { ref, step: 'a', title: 'Parse\u001B[2J', role: '', agent: 'codex' };
    const progress: Progress[] = [
      { ref, kind: 'started' },
      { ...about, kind: 'step', attempt: 1 },
      { ...about, kind: 'event', attempt: 1, event: { type: 'text', text: 'long talk' } },
      {
        ...about,
        kind: 'event',
        attempt: 1,
        event: { type: 'tool', phase: 'start', id: '1', name: 'shell', input: 'ls\nrm' },
      },
      { ...about, kind: 'step', attempt: 2 },
      { ...about, kind: 'stepped', state: 'failed', summary: 'It\u0007 broke\nhere' },
    ];
    const { directories } = fakeDirectories({
      tasks: [done],
      run: (one, { onProgress }) => {
        for (const one of progress) onProgress?.(one);
        return { ...one, steps: [], interrupted: false };
      },
    });
    const { stderr } = await docket(['task', 'run', 'task-1'], { directories });
    expect(stderr.split('\n').slice(0, -2)).toEqual([
      String.raw`a starts with codex: Parse\e[2J`,
      'a shell ls',
      String.raw`a starts with codex (attempt 2): Parse\e[2J`,
      String.raw`a is failed: It\x07 broke`,
    ]);
    expect((await docket(['task', 'run', 'task-1', '--json'], { directories })).stderr).toBe('');
  });

  it('stops at Ctrl-C and asks nobody without a terminal', async () => {
    const person = new AbortController();
    const { directories, calls } = fakeDirectories({
      tasks: [done],
      run: async (one, { signal }) => {
        person.abort();
        return { ...one, steps: [], interrupted: signal.aborted };
      },
    });
    const ended = await docket(['task', 'run', 'task-1'], { directories, stop: person.signal });
    expect(ended.code).toBe(130);
    expect(ended.stderr).toContain('stopping: the agents end');
    expect(calls).toEqual([['run', 'task-1', { kind: 'rest' }]]);
  });

  it('names every problem of bad actions, with its place', async () => {
    const message = 'actions.json has 2 problems:\n$.tasks[0].adapter: unknown\n$.tasks[1]: \u001B[2J';
    const { directories } = fakeDirectories({
      tasks: [done],
      run: () => {
        throw new DocketError('INVALID', message, 'mend them', {});
      },
    });
    const ended = await docket(['task', 'run', 'task-1', '--actions', '-'], { directories });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(
      `problems:\n  $.tasks[0].adapter: unknown\n  $.tasks[1]: ${String.raw`\e[2J`}\n`,
    );
  });
});

describe('docket task resume', () => {
  const user = { env: { USER: 'ann' } };

  it('goes on', async () => {
    const ended = await go(['resume', 'task-1', '--parallel', '2'], done);
    expect([ended.code, ended.calls]).toEqual([0, [['resume', 'task-1', { parallel: 2 }]]]);
  });

  it('with a note approves what waits first, as it was seen', async () => {
    const one = waiting({
      'gate-b': gate({ times: 3 }),
      'gate-a': gate({ state: 'rejected' }),
      'gate-c': gate({ blockedAt: '2026-03-01T11:00:00Z' }),
    });
    const { calls } = await go(['resume', 'task-1', '--note', 'Port 8080'], one, user);
    const answer = { decision: 'approved', by: 'ann', note: 'Port 8080', of: 'task' };
    expect(calls).toEqual([
      ['answer', 'task-1', 'gate-c', { ...answer, times: 1 }],
      ['answer', 'task-1', 'gate-b', { ...answer, times: 3 }],
      ['resume', 'task-1', {}],
    ]);
  });

  it('loses no note: with no gate to take it, nothing happens', async () => {
    const ended = await go(['resume', 'task-1', '--note', 'Port 8080'], directory(), user);
    expect([ended.code, ended.calls]).toEqual([4, []]);
    expect(ended.stderr).toContain('the note would reach nobody');
  });
});
