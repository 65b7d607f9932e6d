import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { claude } from '../../../src/adapters/claude/vendor.ts';
import { attempt, stage } from '../../support/attempt.ts';
import { scratch } from '../../support/scratch.ts';

/** A user's home with these files in it. */
function userHome(...files: string[]): { HOME: string } {
  const HOME = scratch();
  for (const file of files) {
    fs.mkdirSync(path.dirname(path.join(HOME, file)), { recursive: true });
    fs.writeFileSync(path.join(HOME, file), 'secret');
  }
  return { HOME };
}

const withoutFile = process.platform === 'darwin' ? 'unknown' : 'no';

describe('login', () => {
  it.each([
    [withoutFile, [], {}],
    ['yes', ['.claude/.credentials.json'], {}],
    ['unknown', ['.claude/settings.json'], {}],
    ['unknown', [], { CLAUDE_CODE_USE_BEDROCK: '1' }],
    ['yes', [], { ANTHROPIC_API_KEY: 'k' }],
    ['yes', [], { CLAUDE_CODE_OAUTH_TOKEN: 'k' }],
    [withoutFile, ['.claude/.credentials.json'], { CLAUDE_CONFIG_DIR: '/nowhere' }],
  ] as const)('%s: %j %j', (expected, files, env) => {
    expect(claude.login({ env: { ...userHome(...files), ...env } })).toBe(expected);
  });

  it("a worker's own home has the user's", () => {
    const env = userHome('.claude/.credentials.json');
    const home = path.join(scratch(), 'worker');
    const login = path.join(env.HOME, '.claude/.credentials.json');
    expect(claude.login({ env, home })).toBe('yes');
    expect(claude.writable({ env, home })).toEqual([home, login]);
  });

  it('its settings stand beside its folder, unless the folder was chosen', () => {
    const { HOME } = userHome();
    const folder = path.join(HOME, '.claude');
    expect(claude.writable({ env: { HOME } })).toEqual([folder, `${folder}.json`]);
    expect(claude.writable({ env: { HOME, CLAUDE_CONFIG_DIR: '/own' } })).toEqual(['/own']);
    expect(claude.writable({ env: {} })).toEqual([]);
  });
});

it("links the user's login into a home of the worker's own", async () => {
  const env = userHome('.claude/.credentials.json');
  const at = stage();
  const home = path.join(at.root, 'worker');
  const line = '{"type":"result","is_error":false,"result":"done"}';
  const request = {
    prompt: 'Do it.',
    cwd: at.cwd,
    dir: at.next(),
    session: { kind: 'new' },
    env: { PATH: process.env['PATH'], ...env },
    about: { taskId: 'task-1', step: 'work', attempt: 1 },
  } as const;
  const { turn } = await attempt(at, {
    adapter: claude,
    command: [process.execPath, '-e', `console.log(${JSON.stringify(line)})`, '--'],
    agent: { home, permission: 'edit' },
    options: { request },
  });
  expect(turn).toMatchObject({ text: 'done', exit: { code: 0 } });
  expect(turn.error).toBeUndefined();
  const link = path.join(home, '.credentials.json');
  expect(fs.readlinkSync(link)).toBe(path.join(env.HOME, '.claude/.credentials.json'));
});
