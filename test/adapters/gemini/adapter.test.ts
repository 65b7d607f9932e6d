import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { gemini } from '../../../src/adapters/gemini/vendor.ts';
import { attempt, stage } from '../../support/attempt.ts';
import { put } from '../../support/request.ts';
import { scratch } from '../../support/scratch.ts';

describe('login', () => {
  it.each([
    ['no', [], {}],
    ['yes', ['.gemini/oauth_creds.json'], {}],
    ['unknown', ['.gemini/settings.json'], {}],
    ['yes', [], { GEMINI_API_KEY: 'k' }],
    ['unknown', ['.gemini/oauth_creds.json'], { HOME: '' }],
  ] as const)('%s: %j %j', (expected, files, env) => {
    const HOME = scratch();
    for (const file of files) put(path.join(HOME, file));
    expect(gemini.login({ env: { HOME, ...env } })).toBe(expected);
  });

  it("a worker's own home has the user's, which stays writable", () => {
    const HOME = scratch();
    const file = put(path.join(HOME, '.gemini/oauth_creds.json'));
    const where = { env: { HOME }, home: path.join(HOME, 'worker') };
    expect(gemini.login(where)).toBe('yes');
    expect(gemini.writable(where)).toEqual([path.join(HOME, 'worker/.gemini'), file]);
    expect(gemini.writable({ env: { HOME } })).toEqual([path.join(HOME, '.gemini')]);
  });
});

it('a whole turn, and its view of the home is gone afterwards', async () => {
  const at = stage();
  const HOME = path.join(at.root, 'user');
  fs.mkdirSync(HOME);
  const lines = [
    '{"type":"init","session_id":"7a81c23a-d360-4da4-96c1-3e0358797d7e"}',
    '{"type":"message","role":"assistant","content":"Done","delta":true}',
    '{"type":"result","status":"success","stats":{"total_tokens":3,"input_tokens":2,"output_tokens":1,"cached":0}}',
  ];
  const script = `require('fs').accessSync(process.env.GEMINI_CLI_HOME + '/.gemini/settings.json');
    console.log(${JSON.stringify(lines.join('\n'))})`;
  const { turn, dir } = await attempt(at, {
    adapter: gemini,
    command: [process.execPath, '-e', script, '--'],
    env: { PATH: process.env['PATH'], HOME },
  });
  expect(turn).toMatchObject({ text: 'Done', usage: { input: 2, cached: 0, output: 1 } });
  expect(turn.error).toBeUndefined();
  expect(fs.existsSync(path.join(dir, 'gemini-home'))).toBe(false);
  expect(fs.readdirSync(path.join(HOME, '.gemini')).toSorted()).toEqual(['history', 'tmp']);
});
