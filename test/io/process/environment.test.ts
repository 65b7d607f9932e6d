import { expect, test } from 'vitest';
import { allowedEnv } from '../../../src/io/process/environment.ts';

const users = {
  PATH: '/bin',
  HOME: '/home/ann',
  LC_TIME: 'de_DE.UTF-8',
  XDG_CONFIG_HOME: '/home/ann/.config',
  https_proxy: 'http://proxy:1',
  TMPDIR: '/tmp/of/ann',
  PWD: '/elsewhere',
  OLDPWD: '/before',
  SSH_AUTH_SOCK: '/run/agent',
  AWS_SECRET_ACCESS_KEY: 'secret',
  OPENAI_API_KEY: 'key',
  OPENAI_BASE_URL: 'http://localhost',
  NOT_OPENAI_KEY: 'no',
  NODE_OPTIONS: '--inspect',
  LD_PRELOAD: '/evil.so',
  DOCKET_MARK: 'outer',
  DOCKET_ROOT: '/outer',
  'BASH_FUNC_x%%': '() { :; }',
  UNSET: undefined,
};

test('the common ones, the folder, and nothing else', () => {
  expect(allowedEnv(users, { cwd: '/work' })).toEqual({
    PATH: '/bin',
    HOME: '/home/ann',
    LC_TIME: 'de_DE.UTF-8',
    XDG_CONFIG_HOME: '/home/ann/.config',
    https_proxy: 'http://proxy:1',
    PWD: '/work',
  });
});

test('what the adapter asks for, by name or by beginning', () => {
  const env = allowedEnv(users, { pass: ['OPENAI_*', 'SSH_AUTH_SOCK', 'UNSET'], cwd: '/work' });
  expect(env).toMatchObject({
    OPENAI_API_KEY: 'key',
    OPENAI_BASE_URL: 'http://localhost',
    SSH_AUTH_SOCK: '/run/agent',
  });
  expect(Object.keys(env)).not.toContain('NOT_OPENAI_KEY');
  expect(Object.keys(env)).not.toContain('UNSET');
});

test('never our own, nor what a shell cannot carry, whatever asks for it', () => {
  const env = allowedEnv(users, { pass: ['*', 'DOCKET_*', 'DOCKET_MARK'], cwd: '/work' });
  expect(Object.keys(env).filter((name) => /DOCKET|%/.test(name))).toEqual([]);
});

test('the settings have the last word', () => {
  const add = { PATH: '/other/bin', DOCKET_TASK_ID: 't1', MINE: '' };
  expect(allowedEnv(users, { add, cwd: '/work' })).toMatchObject(add);
});
