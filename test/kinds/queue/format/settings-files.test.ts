import { describe, expect, it } from 'vitest';
import { agentsIn } from '../../../../src/settings/takt-agents-file.ts';
import { debugIn } from '../../../../src/settings/takt-debug-file.ts';

describe('.takt/agents.yaml', () => {
  const agents = {
    careful: { adapter: 'claude', model: 'opus', permission: 'read' },
    quick: { adapter: 'codex' },
  };

  it.each([
    [
      'a mapping',
      'agents:\n  careful: {provider: claude-sdk, model: opus, permission_mode: readonly}\n  quick: {provider: codex}\n',
    ],
    [
      'a list',
      'agents:\n  - {name: careful, provider: claude, model: opus, permission_mode: readonly}\n  - name: quick\n    provider: codex\n',
    ],
  ])('takes %s', (_what, text) => {
    expect(agentsIn(text)).toEqual({ agents, remarks: [] });
  });

  it.each([
    ['agents:\n  a:\n    provider: codex\n    prompt: hi\n', 4, 5, 'nothing of "prompt"'],
    ['agents:\n  a: {provider: cursor}\n', 2, 7, 'no such provider'],
    ['agents:\n  a: {model: x}\n', 2, 3, 'no such provider'],
    ['agents:\n  "a b": {provider: codex}\n', 2, 3, 'none for docket'],
    ['agents:\n  - provider: codex\n', 2, 5, 'without a name'],
    ['agents:\n  a: 5\n', 2, 3, 'no settings'],
    ['version: 1\nagents: {}\n', 1, 1, 'nothing of "version"'],
    ['agents: {a: {provider: codex, permission_mode: all}}\n', 1, 31, 'no such mode'],
    ['agents: [\n', 2, 1, ''],
    ['agents: {__proto__: {provider: codex}}\n', 1, 9, '__proto__'],
    [`agents: ${'['.repeat(50_000)}`, 1, 109, 'levels'],
  ])('says what it makes nothing of: %j', (text, line, column, message) => {
    const { remarks } = agentsIn(text);
    expect(remarks).toMatchObject([{ line, column, message: expect.stringContaining(message) }]);
  });

  it.each(['', '# nothing\n', 'agents:\n', 'agents: {}\n', '[]\n', 'hello\n'])(
    'takes %j for none',
    (text) => {
      expect(agentsIn(text)).toEqual({ agents: {}, remarks: [] });
    },
  );
});

describe('.takt/debug.yaml', () => {
  it('says whether, how much and where to', () => {
    expect(debugIn('enabled: true\nlevel: info\nlog_file: .takt/debug.log\n')).toEqual({
      debug: { enabled: true, level: 'info', logFile: '.takt/debug.log' },
      remarks: [],
    });
    expect(debugIn('')).toEqual({ debug: undefined, remarks: [] });
  });

  it.each([
    'log_file: /etc/passwd',
    'log_file: ../x',
    'log_file: ~/x',
    'level: loud',
    'enabled: maybe',
    'color: 1',
  ])('reports %j and goes on without it', (text) => {
    expect(debugIn(`# c\n${text}\n`)).toMatchObject({
      remarks: [{ line: 2, fix: expect.stringMatching(/\S/) }],
    });
  });
});
