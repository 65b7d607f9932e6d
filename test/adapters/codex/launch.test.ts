import { describe, expect, it } from 'vitest';
import { appServerLaunch, execLaunch } from '../../../src/adapters/codex/launch.ts';
import { plainRequest } from '../../support/request.ts';

const id = '01a1e20d-a899-7cc2-bcbf-81a0789856b5';

const noTemp = ['-c', 'sandbox_workspace_write.exclude_slash_tmp=true'];

describe('codex exec', () => {
  it('gets its prompt by stdin and nothing of it as an argument', () => {
    expect(execLaunch(plainRequest({ prompt: '--help' }))).toEqual({
      argv: [
        'codex',
        'exec',
        '--sandbox=workspace-write',
        ...noTemp,
        '--cd=/repo',
        '--json',
        '--skip-git-repo-check',
        '-',
      ],
      env: {},
      stdin: { text: '--help' },
    });
  });

  it.each([
    ['read', false, ['--sandbox=read-only', ...noTemp]],
    ['edit', false, ['--sandbox=workspace-write', ...noTemp]],
    ['full', false, ['--dangerously-bypass-approvals-and-sandbox']],
    ['read', true, ['--dangerously-bypass-approvals-and-sandbox']],
    ['edit', true, ['--dangerously-bypass-approvals-and-sandbox']],
  ] as const)('%s (outer sandbox: %s)', (permission, sandboxed, flags) => {
    const { argv } = execLaunch(plainRequest({ permission, sandboxed }));
    expect(argv.slice(2, argv.indexOf('--cd=/repo'))).toEqual(flags);
  });

  it.each(['resume', 'fork'] as const)('puts sandbox and folder before %s', (kind) => {
    const { argv } = execLaunch(plainRequest({ session: { kind, id }, model: 'm' }), '/attempt/schema.json');
    expect(argv).toEqual([
      'codex',
      'exec',
      '--sandbox=workspace-write',
      ...noTemp,
      '--cd=/repo',
      kind,
      '--json',
      '--skip-git-repo-check',
      '--model=m',
      '--output-schema=/attempt/schema.json',
      id,
      '-',
    ]);
  });

  it('lets no value become a flag', () => {
    const { argv } = execLaunch(plainRequest({ cwd: '--json', model: '--oss' }));
    expect(argv).toContain('--cd=--json');
    expect(argv).toContain('--model=--oss');
  });

  it.each(['--last', '-', '', '../x', `${id}\n--last`, `${id} `])('refuses the session id %j', (bad) => {
    expect(() => execLaunch(plainRequest({ session: { kind: 'resume', id: bad } }))).toThrow(
      expect.objectContaining({ code: 'INVALID' }),
    );
  });

  it("uses the user's own command and a home of the worker's own", () => {
    const { argv, env } = execLaunch(plainRequest({ command: ['npx', 'codex'], home: '/home/worker' }));
    expect(argv.slice(0, 3)).toEqual(['npx', 'codex', 'exec']);
    expect(env).toEqual({ CODEX_HOME: '/home/worker' });
  });
});

it('the app-server is talked to over an open stdin', () => {
  expect(appServerLaunch(plainRequest())).toEqual({
    argv: ['codex', ...noTemp, 'app-server'],
    env: {},
    stdin: 'open',
  });
});
