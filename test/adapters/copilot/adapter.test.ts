import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentRequest, Usage } from '../../../src/adapters/adapter.ts';
import { usageIn, usageOf } from '../../../src/adapters/copilot/launch.ts';
import { copilot } from '../../../src/adapters/copilot/vendor.ts';
import { attempt, stage } from '../../support/attempt.ts';
import { put } from '../../support/request.ts';
import { scratch } from '../../support/scratch.ts';

const counted = (inputTokens: number, outputTokens: number, cacheReadTokens: number) =>
  JSON.stringify({
    modelMetrics: {
      a: { usage: { inputTokens, outputTokens, cacheReadTokens } },
      b: { usage: { outputTokens: 1 } },
    },
  });

describe('login', () => {
  it.each([
    ['no', [], {}],
    ['unknown', ['.copilot/config.json'], {}],
    ['unknown', ['.config/gh/hosts.yml'], {}],
    ['unknown', [], { GITHUB_TOKEN: 'k' }],
    ['yes', [], { COPILOT_GITHUB_TOKEN: 'k' }],
    ['yes', [], { COPILOT_PROVIDER_BASE_URL: 'http://127.0.0.1' }],
    ['unknown', [], { HOME: '' }],
  ] as const)('%s: %j %j', (expected, files, env) => {
    const HOME = scratch();
    for (const file of files) put(path.join(HOME, file));
    expect(copilot.login({ env: { HOME, ...env } })).toBe(expected);
  });

  it('what must stay writable', () => {
    const HOME = scratch();
    const file = put(path.join(HOME, '.copilot/config.json'));
    const cache = path.join(HOME, '.cache/copilot');
    expect(copilot.writable({ env: { HOME } })).toEqual([path.join(HOME, '.copilot'), cache]);
    expect(copilot.writable({ env: { HOME }, home: '/worker' })).toEqual(['/worker', cache, file]);
  });
});

describe('usage', () => {
  const session: Usage = { input: 323, cached: 27, output: 51 };
  const of = (request: Pick<AgentRequest, 'session' | 'usedBefore'>, text = counted(323, 50, 27)) => [
    ...usageOf(put(path.join(scratch(), 'usage.json'), text), request),
  ];

  it('a new session: all of it', () => {
    expect(of({ session: { kind: 'new' } })).toEqual([{ type: 'usage', turn: session, session }]);
  });

  it('a resumed one: what came to it, or unknown', () => {
    const resume = { kind: 'resume', id: 'x' } as const;
    const usedBefore = { input: 123, cached: 7, output: 45 };
    expect(of({ session: resume, usedBefore })).toEqual([
      { type: 'usage', turn: { input: 200, cached: 20, output: 6 }, session },
    ]);
    expect(of({ session: resume })).toEqual([{ type: 'usage', session }]);
  });

  it('a run that was ended by force leaves no count, and rubbish is told', () => {
    expect([...usageOf('/nowhere/usage.json', { session: { kind: 'new' } })]).toEqual([]);
    expect(of({ session: { kind: 'new' } }, '{"model')).toMatchObject([{ type: 'warning' }]);
    expect(usageIn('{"modelMetrics":[]}')).toEqual({ input: 0, cached: 0, output: 0 });
    expect(usageIn('null')).toBeUndefined();
  });
});

it('a whole turn: the count is there before the end', async () => {
  const at = stage();
  const HOME = path.join(at.root, 'user');
  fs.mkdirSync(HOME);
  const lines = ['{"type":"assistant.message","data":{"content":"Done"}}', '{"type":"result","exitCode":0}'];
  const script = `const file = process.argv.find((word) => word.startsWith('--usage-output-file=')).slice(20);
    require('fs').writeFileSync(file, ${JSON.stringify(counted(5, 1, 2))});
    console.log(${JSON.stringify(lines.join('\n'))})`;
  const { turn, events } = await attempt(at, {
    adapter: copilot,
    command: [process.execPath, '-e', script, '--'],
    env: { PATH: process.env['PATH'], HOME },
  });
  expect(turn.error).toBeUndefined();
  expect(turn).toMatchObject({ text: 'Done', usage: { input: 5, cached: 2, output: 2 } });
  expect(events.map(({ type }) => type)).toEqual(['session', 'text', 'usage', 'end']);
});
