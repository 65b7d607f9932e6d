import { describe, expect, it } from 'vitest';
import type { AgentRequest } from '../../../src/adapters/adapter.ts';
import { launch } from '../../../src/adapters/claude/launch.ts';
import { plainRequest } from '../../support/request.ts';

const id = 'c45b4ae2-f161-4b94-8aa4-0e29daa080ce';
const newId = '8d182cc3-aea2-4d34-81b8-b8cc750f99a7';
const user = { root: false };
const root = { root: true };

const start = ['claude', '-p', '--output-format=stream-json', '--verbose'];
const flags = (wish: Partial<AgentRequest>, machine = user) =>
  launch(plainRequest(wish), machine).argv.slice(start.length);

it('gets its prompt by stdin and nothing of it as an argument', () => {
  expect(launch(plainRequest({ prompt: '--help' }), user)).toEqual({
    argv: [...start, '--permission-mode=acceptEdits'],
    env: { DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_MAX_RETRIES: '3' },
    stdin: { text: '--help' },
  });
});

describe('permissions', () => {
  it('read offers tools that only look, and denies the others whatever the settings say', () => {
    expect(flags({ permission: 'read' })).toEqual([
      '--permission-mode=dontAsk',
      '--tools=Read,Glob,Grep,WebFetch,WebSearch',
      '--disallowedTools=Edit,Write,NotebookEdit,Bash',
    ]);
  });

  it('full is for an ordinary user', () => {
    expect(flags({ permission: 'full' })).toEqual(['--dangerously-skip-permissions']);
    expect(launch(plainRequest({ permission: 'full' }), user).env).not.toHaveProperty('IS_SANDBOX');
  });

  it('full is refused to root, who must say that the machine is a sandbox', () => {
    const refusal = expect.objectContaining({
      code: 'REFUSED',
      fix: expect.stringContaining('IS_SANDBOX') as unknown,
    });
    expect(() => flags({ permission: 'full' }, root)).toThrow(refusal);
    expect(() => flags({ permission: 'full', env: { IS_SANDBOX: '0' } }, root)).toThrow(refusal);
    expect(launch(plainRequest({ permission: 'full', env: { IS_SANDBOX: '1' } }), root)).toMatchObject({
      argv: [...start, '--dangerously-skip-permissions'],
      env: { IS_SANDBOX: '1' },
    });
  });

  it.each(['read', 'edit', 'full'] as const)(
    '%s inside an outer sandbox leaves the holding to it',
    (permission) => {
      const { argv, env } = launch(plainRequest({ permission, sandboxed: true }), root);
      expect(argv).toContain('--dangerously-skip-permissions');
      expect(argv.includes('--disallowedTools=Edit,Write,NotebookEdit')).toBe(permission === 'read');
      expect(env).toMatchObject({ IS_SANDBOX: '1' });
    },
  );
});

describe('sessions', () => {
  it.each([
    [{ kind: 'new', id }, [`--session-id=${id}`]],
    [{ kind: 'resume', id }, [`--resume=${id}`]],
    [{ kind: 'fork', id }, [`--resume=${id}`, '--fork-session']],
    [{ kind: 'fork', id, newId }, [`--resume=${id}`, '--fork-session', `--session-id=${newId}`]],
  ] as const)('%j', (session, expected) => {
    expect(flags({ session })).toEqual(['--permission-mode=acceptEdits', ...expected]);
  });

  it.each([
    { kind: 'new', id: '--continue' },
    { kind: 'resume', id: '' },
    { kind: 'resume', id: `${id}\n` },
    { kind: 'fork', id, newId: '../../x' },
  ] as const)('refuses %j', (session) => {
    expect(() => flags({ session })).toThrow(expect.objectContaining({ code: 'INVALID' }));
  });
});

it('lets no value become a flag', () => {
  const schema = { type: 'object' };
  expect(flags({ model: '--bg', schema })).toEqual([
    '--permission-mode=acceptEdits',
    '--model=--bg',
    '--json-schema={"type":"object"}',
  ]);
});

it("uses the user's own command, retries, and a home of the worker's own", () => {
  const env = { CLAUDE_CODE_MAX_RETRIES: '7' };
  expect(launch(plainRequest({ command: ['npx', 'claude'], home: '/home/worker', env }), user)).toMatchObject(
    {
      argv: ['npx', 'claude', ...start.slice(1), '--permission-mode=acceptEdits'],
      env: { CLAUDE_CONFIG_DIR: '/home/worker', CLAUDE_CODE_MAX_RETRIES: '7' },
    },
  );
});
