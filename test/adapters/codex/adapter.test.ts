import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { codex } from '../../../src/adapters/codex/vendor.ts';
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

describe('login', () => {
  it.each([
    ['no', [], {}],
    ['yes', ['.codex/auth.json'], {}],
    ['unknown', ['.codex/config.toml'], {}],
    ['yes', [], { CODEX_API_KEY: 'k' }],
    ['no', [], { OPENAI_API_KEY: 'k' }],
    ['no', ['.codex/auth.json'], { CODEX_HOME: '/nowhere' }],
  ] as const)('%s: %j %j', (expected, files, env) => {
    expect(codex.login({ env: { ...userHome(...files), ...env } })).toBe(expected);
  });

  it("a worker's own home has the user's", () => {
    const env = userHome('.codex/auth.json');
    const home = path.join(scratch(), 'worker');
    expect(codex.login({ env, home })).toBe('yes');
    expect(codex.writable({ env, home })).toEqual([home, path.join(env.HOME, '.codex/auth.json')]);
    expect(codex.writable({ env })).toEqual([path.join(env.HOME, '.codex')]);
  });
});

it("links the user's login into a home of the worker's own, and hands the schema over in a file", async () => {
  const env = userHome('.codex/auth.json');
  const at = stage();
  const dir = at.next();
  const home = path.join(at.root, 'worker');
  const lines = [
    '{"type":"item.completed","item":{"id":"i","type":"agent_message","text":"{\\"ok\\":true}"}}',
    '{"type":"turn.completed","usage":{"input_tokens":1,"cached_input_tokens":0,"output_tokens":1}}',
  ];
  const request = {
    prompt: 'Do it.',
    cwd: at.cwd,
    dir,
    session: { kind: 'new' },
    schema: { type: 'object' },
    env: { PATH: process.env['PATH'], ...env },
    about: { taskId: 'task-1', step: 'work', attempt: 1 },
  } as const;
  const { turn } = await attempt(at, {
    adapter: codex,
    command: [process.execPath, '-e', `console.log(${JSON.stringify(lines.join('\n'))})`, '--'],
    agent: { home },
    options: { request },
  });
  expect(turn.error).toBeUndefined();
  expect(turn.structured).toEqual({ ok: true });
  expect(JSON.parse(fs.readFileSync(path.join(dir, 'schema.json'), 'utf8'))).toEqual({ type: 'object' });
  expect(fs.readlinkSync(path.join(home, 'auth.json'))).toBe(path.join(env.HOME, '.codex/auth.json'));
});
