import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { commandEnv, missedIn } from '../../src/gate/commands.ts';
import { scratch } from '../support/scratch.ts';

const keys = {
  AWS_SECRET_ACCESS_KEY: 'x',
  DATABASE_URL: 'x',
  GITHUB_TOKEN: 'x',
  GOOGLE_APPLICATION_CREDENTIALS: 'x',
  NPM_TOKEN: 'x',
  NODE_AUTH_TOKEN: 'x',
  npm_config__authToken: 'x',
  CARGO_REGISTRY_TOKEN: 'x',
  COMPOSER_AUTH: 'x',
  CYPRESS_RECORD_KEY: 'x',
  MAVEN_GPG_PASSPHRASE: 'x',
  PIP_INDEX_URL: 'https://me:x@pypi.example/simple',
  SSH_AUTH_SOCK: 'x',
  DOCKET_MARK: 'x',
};
const usual = {
  PATH: '/bin',
  HOME: '/home/x',
  LANG: 'C',
  LC_ALL: 'C',
  CI: '1',
  NODE_OPTIONS: 'x',
  npm_config_cache: 'x',
  GOPATH: 'x',
  GOPROXY: 'https://proxy.example,direct',
  CARGO_HOME: 'x',
  JAVA_HOME: 'x',
  VIRTUAL_ENV: 'x',
};

it('commands get what builds need, and no keys', () => {
  expect(commandEnv({ ...keys, ...usual }, { pass: [], cwd: '/w' })).toEqual({ ...usual, PWD: '/w' });
});

it('the settings name what else they get', () => {
  const got = (pass: string[]) => Object.keys(commandEnv(keys, { pass, cwd: '/w' })).toSorted();
  expect(got(['DATABASE_URL'])).toEqual(['DATABASE_URL', 'PWD']);
  expect(got(['NODE_*'])).toEqual(['NODE_AUTH_TOKEN', 'PWD']);
  const { DOCKET_MARK: _, ...all } = keys;
  expect(got(['*'])).toEqual([...Object.keys(all), 'PWD'].toSorted());
});

it('names a variable that was not passed where a file, the command or its output speaks of it', async () => {
  const cwd = scratch();
  execFileSync('git', ['init', '--quiet'], { cwd });
  fs.writeFileSync(path.join(cwd, 'db.js'), 'connect(process.env.DATABASE_URL)\n');
  execFileSync('git', ['add', 'db.js'], { cwd });
  const got = commandEnv(keys, { pass: [], cwd });
  const missed = (texts: string[]) => missedIn(keys, got, { cwd, texts });
  expect(await missed([])).toEqual(['DATABASE_URL']);
  expect(await missed(['no GITHUB_TOKEN here'])).toEqual(['DATABASE_URL', 'GITHUB_TOKEN']);
  expect(await missedIn(keys, keys, { cwd, texts: ['GITHUB_TOKEN'] })).toEqual([]);
});
