import { describe, expect, it } from 'vitest';
import { directory, fakeDirectories } from './fake-directories.ts';
import { docket, json } from './fake-world.ts';

const line = (type: string, more: Record<string, unknown> = {}) => ({
  ts: '2026-03-01T11:00:00.000Z',
  type,
  taskId: 'task-1',
  by: 'controller',
  ...more,
});
const events = [
  line('task.created', { by: 'user' }),
  line('agent.started', { agentInstance: 'alpha', by: null }),
  line('agent.\u001B[2J\u202E', { agentInstance: '\nfake', payload: { x: 1 } }),
];
const log = (...more: string[]) => {
  const fake = fakeDirectories({ tasks: [directory()], events });
  return docket(['task', 'events', 'task-1', ...more], { directories: fake.directories }).then((ended) => ({
    ...ended,
    calls: fake.calls,
  }));
};

describe('docket task events', () => {
  it('prints time, type, by whom and which instance', async () => {
    const ended = await log();
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(ended.stdout.split('\n')).toEqual([
      '2026-03-01T11:00:00.000Z  task.created              user',
      '2026-03-01T11:00:00.000Z  agent.started             -             alpha',
      String.raw`2026-03-01T11:00:00.000Z  agent.\e[2J\u{202e}       controller    \nfake`,
      '',
    ]);
    expect(ended.calls).toEqual([['events', 'task-1', { limit: 50, offset: 0 }]]);
  });

  it('hands limit, offset and prefix over, and says that there may be more', async () => {
    const ended = await log('--limit', '1', '--offset', '1', '--type-prefix', 'agent.');
    expect(ended.calls).toEqual([['events', 'task-1', { limit: 1, offset: 1, prefix: 'agent.' }]]);
    expect(ended.stderr).toBe('There may be more: --offset 2\n');
  });

  it('is one value with --json, each event as it stands in the log', async () => {
    expect(json(await log('--json'))).toEqual({ v: 1, ok: true, events });
    expect(json(await log('--json', '--type-prefix', 'nope'))).toEqual({ v: 1, ok: true, events: [] });
  });

  it.each([
    [['--limit', '0'], '--limit 0 is not a number of 1 or more'],
    [['--offset', '-1'], '--offset -1 is not a number of 0 or more'],
    [['--follow', '--limit', '5'], '--follow shows every line'],
  ])('refuses %j: %s', async (words, message) => {
    const ended = await log(...words);
    expect([ended.code, ended.calls]).toEqual([2, []]);
    expect(ended.stderr).toContain(message);
  });
});

describe('docket task events --follow', () => {
  const follow = (words: string[], setting: Parameters<typeof docket>[1]) => {
    const { directories } = fakeDirectories({ tasks: [directory()], events });
    return docket(['task', 'events', 'task-1', '--follow', ...words], { directories, ...setting });
  };

  it('goes on until Ctrl-C, which is a good end', async () => {
    const person = new AbortController();
    const ended = follow(['--json'], { stop: person.signal });
    const early = await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 50, 'goes on'))]);
    expect(early).toBe('goes on');
    person.abort();
    const { code, stdout, stderr } = await ended;
    expect([code, stderr]).toEqual([0, '']);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((text) => JSON.parse(text) as unknown),
    ).toEqual(events);
  });

  it('ends when its reader has left', async () => {
    const reader = new AbortController();
    const ended = follow(['--type-prefix', 'task.'], { gone: reader.signal });
    setTimeout(() => reader.abort(), 20);
    expect(await ended).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\S+ {2}task.created.*\n$/),
    });
  });
});
