import { describe, expect, it } from 'vitest';
import { fakePackets } from './fake-packets.ts';
import { docket, json, type Setting } from './fake-world.ts';

const create = ['packet', 'new', '--goal', 'Retry failed logins'];

function make(words: string[], setting: Setting = {}) {
  const { packets, calls } = fakePackets();
  return docket([...create, ...words], { packets, ...setting }).then((ended) => ({ ...ended, calls }));
}

describe('docket packet new', () => {
  it('prints the id, and says on stderr what to edit and what comes next', async () => {
    const ended = await make([]);
    expect([ended.code, ended.stdout]).toEqual([0, 'p-new\n']);
    expect(ended.stderr.split('\n')).toEqual([
      'Edit .tmp/task/p-new/inputs/user_request.md and .tmp/task/p-new/manifest.yaml.',
      'Without scope.allow no file may be changed.',
      'Next: docket packet run p-new',
      '',
    ]);
    const usual = { goal: 'Retry failed logins', intent: 'safe_impl' };
    expect(ended.calls).toEqual([['make', { ...usual, allow: [], deny: [], commands: [], criteria: [] }]]);
    expect(await make(['--quiet'])).toMatchObject({ stdout: 'p-new\n', stderr: '' });
  });

  it('hands over everything that is said about it; a comma cuts nothing', async () => {
    const words = '--id p-7 --intent review_cross --request Twice --allow src --allow a,b --deny .env'.split(
      ' ',
    );
    const more = ['--command', 'npm test', '--command', 'echo a, b', '--criterion', 'Small, and fast'];
    const ended = await make([...words, ...more]);
    expect(ended.calls).toEqual([
      [
        'make',
        {
          id: 'p-7',
          goal: 'Retry failed logins',
          intent: 'review_cross',
          request: 'Twice',
          allow: ['src', 'a,b'],
          deny: ['.env'],
          commands: ['npm test', 'echo a, b'],
          criteria: ['Small, and fast'],
        },
      ],
    ]);
    expect(ended.stderr).toBe('Edit .tmp/task/p-7/manifest.yaml.\nNext: docket packet run p-7\n');
  });

  it('takes the request from a file and from stdin', async () => {
    const files = { '/project/wish.md': 'From a file' };
    const fromFile = await make(['--file', 'wish.md'], { files });
    expect(fromFile.calls[0]?.[1]).toMatchObject({ request: 'From a file' });
    const fromStdin = await make(['--file', '-'], { stdin: 'From stdin' });
    expect(fromStdin.calls[0]?.[1]).toMatchObject({ request: 'From stdin' });
    expect(await make(['--file', 'none.md'])).toMatchObject({ code: 3, calls: [] });
  });

  it('answers with what it is now', async () => {
    expect(json(await make(['--json']))).toEqual({
      v: 1,
      ok: true,
      id: 'p-new',
      status: 'queued',
      dir: '.tmp/task/p-new',
      goal: 'Retry failed logins',
      intent: 'safe_impl',
      stages: [],
      calls: { used: 1, budget: 10 },
    });
  });

  it('makes what is copied one word to the shell', async () => {
    const ended = await make(['--id', 'a b;\u001B[2J']);
    expect(ended.stdout).toBe(`${String.raw`a b;\e[2J`}\n`);
    expect(ended.stderr).toContain(`docket packet run '${String.raw`a b;\e[2J`}'\n`);
  });

  it.each([
    [['packet', 'new'], 'docket packet new needs --goal'],
    [['packet', 'new', '--goal', ' '], '--goal needs a value'],
    [[...create, 'word'], 'takes no words, but got "word"'],
    [[...create, '--request', 'x', '--file', '-'], 'the request comes twice'],
  ])('refuses %j: %s', async (words, message) => {
    const { packets, calls } = fakePackets();
    const ended = await docket(words, { packets });
    expect([ended.code, ended.stdout, calls]).toEqual([2, '', []]);
    expect(ended.stderr).toContain(message);
    expect(ended.stderr).toContain('docket packet new --help');
  });
});
