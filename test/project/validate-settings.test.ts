import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { validate } from '../../src/project/docket.ts';
import { scratch } from '../support/scratch.ts';

const write = (file: string, text: string) => {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
};

it('names agents in the settings that do not exist, at their place', async () => {
  const dir = scratch();
  const file = path.join(dir, '.docket/config.yaml');
  const HOME = path.join(dir, 'home');
  write(path.join(HOME, '.config/docket/config.yaml'), 'agents:\n  mine: {adapter: command, command: [x]}\n');
  write(
    file,
    [
      'agents:',
      '  local: {adapter: command, command: [y]}',
      'defaultAgent: local',
      'roles:',
      '  reviewer: gemnii',
      '  coder: {agent: mine, fallback: [claude, nobody]}',
      'fallback: [codex-exec, clude]',
    ].join('\n'),
  );
  const found = await validate(dir, { HOME });
  expect(
    found.map(({ severity, line, column, message, fix }) => [severity, line, column, message, fix]),
  ).toEqual([
    ['error', 5, 13, 'roles.reviewer: there is no agent "gemnii"', 'did you mean "gemini"?'],
    [
      'error',
      6,
      43,
      'roles.coder.fallback.1: there is no agent "nobody"',
      expect.stringMatching(/^known agents: .*mine/),
    ],
    ['error', 7, 24, 'fallback.1: there is no agent "clude"', 'did you mean "claude"?'],
  ]);
  expect(new Set(found.map((one) => one.path))).toEqual(new Set([file]));
});

it("tells of a mistake in the user's own file at that file", async () => {
  const dir = scratch();
  const own = path.join(dir, 'home/.config/docket/config.yaml');
  write(own, 'defaultAgnet: claude\n');
  write(path.join(dir, '.docket/config.yaml'), 'defaultAgent: claude\n');
  expect(await validate(dir, { HOME: path.join(dir, 'home') })).toMatchObject([
    { severity: 'error', path: own, line: 1, fix: 'did you mean "defaultAgent"?' },
  ]);
});

it.each(['http://169.254.169.254/latest', 'https://169.254.169.254/x', 'http://example.com/x'])(
  'names a webhook that no message may be posted to: %s',
  async (url) => {
    const dir = scratch();
    write(path.join(dir, '.docket/config.yaml'), `notify:\n  webhook: ${url}\n`);
    expect(await validate(dir, {})).toMatchObject([
      { severity: 'error', line: 2, column: 12, message: expect.stringContaining('notify.webhook') },
    ]);
  },
);
