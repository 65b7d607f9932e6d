import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shells } from '../../../src/surfaces/cli/commands/completion.ts';
import { globalOptions } from '../../../src/surfaces/cli/frame/options.ts';
import { commands } from './all-commands.ts';
import { docket, json } from './fake-world.ts';
import { inFolder } from './real-world.ts';

const dir = mkdtempSync(join(tmpdir(), 'docket-completion-'));
const program = fileURLToPath(new URL('../../../bin/docket', import.meta.url));
beforeAll(async () => {
  const { stdout } = await docket(['completion', 'bash']);
  writeFileSync(join(dir, 'docket.bash'), stdout);
  mkdirSync(join(dir, 'a folder'));
  writeFileSync(join(dir, 'a file.md'), '');
});
afterAll(() => rmSync(dir, { recursive: true }));

/** Asks a real bash what it would offer. The words are as bash cuts them; the last one is being typed. */
function complete(...words: string[]): string[] {
  const script = [
    'docket() { "$NODE" "$PROGRAM" "$@"; }',
    'source ./docket.bash; words=("$@")',
    'COMP_WORDS=(docket "${words[@]}") COMP_CWORD=$#',
    '_docket; printf "%s\\n" "${COMPREPLY[@]}"',
  ].join('\n');
  const ran = spawnSync('bash', ['--norc', '-c', script, 'bash', ...words], {
    cwd: dir,
    encoding: 'utf8',
    env: { ...process.env, NODE: process.execPath, PROGRAM: program },
  });
  expect(ran.stderr).toBe('');
  return ran.stdout.split('\n').filter((line) => line !== '');
}

const globals = globalOptions.map(({ name }) => `--${name}`);

describe('bash completion', () => {
  it.each([
    [[''], [...new Set(commands.map(({ name }) => name.split(' ')[0]!))]],
    [['agents', ''], ['try']],
    [
      ['gate', ''],
      ['list', 'approve', 'reject'],
    ],
    [['task', 'cr'], ['create']],
    [['task', '--title', 'show', 'ev'], ['events']],
    [
      ['task', 'create', '--topology', 's'],
      ['swarm', 'squad'],
    ],
    [['task', 'run', 'some-task', '--actions', 'a fi'], ['a file.md']],
    [['task', 'import', 'a fi'], ['a file.md']],
    [['li'], ['limits', 'list']],
    [['--root', 'x', 'va'], ['validate']],
    [['--root', '=', 'x', 'va'], ['validate']],
    [['--name', 'list', 'ad'], ['add']],
    [['--js'], ['--json']],
    [['--'], globals],
    [
      ['list', '--'],
      ['--status', '--all', '--interactive', ...globals],
    ],
    [['add', 'some', 'words', '--pri'], ['--priority']],
    [['list', '--status', 'd'], ['done']],
    [['list', '--status', '=', 'd'], ['done']],
    [
      ['list', '--status', '='],
      ['queued', 'running', 'review', 'blocked', 'done', 'failed', 'canceled'],
    ],
    [['list', '--status=d'], ['--status=done']],
    [
      ['list', '--status', 'queued,r'],
      ['queued,running', 'queued,review'],
    ],
    [['list', '--status=queued,ru'], ['--status=queued,running']],
    [['add', '--name', 'li'], []],
    [['add', 'li'], []],
    [['completion', ''], [...shells]],
    [
      ['help', 'v'],
      ['validate', 'version'],
    ],
    [['help', 'exit'], ['exit-codes']],
    [
      ['validate', 'a f'],
      ['a folder', 'a file.md'],
    ],
    [['add', '--file', 'a fi'], ['a file.md']],
    [['--root', 'a'], ['a folder']],
    [['add', '--', '--pri'], []],
    [['list', '--json', '--', '--'], []],
  ])('%j', (words, expected) => {
    expect(complete(...words).toSorted()).toEqual(expected.toSorted());
  });

  it('registers itself', () => {
    const ran = spawnSync('bash', ['--norc', '-c', 'source ./docket.bash; complete -p docket'], {
      cwd: dir,
      encoding: 'utf8',
    });
    expect(ran.stdout).toBe('complete -F _docket docket\n');
  });
});

describe('names', () => {
  beforeAll(async () => {
    const add = async (...argv: string[]) => expect((await inFolder(dir, argv)).code).toBe(0);
    await add('init', '--root', dir);
    await add('add', 'Fix the login', '--name', 'fix-login');
    await add('add', 'Fix the logout', '--name', 'fix-logout');
    await add('task', 'create', '--title', 'Port the parser', '--topology', 'swarm');
    await add('packet', 'new', '--goal', 'Retry logins', '--id', 'retry-logins');
    await add('board', 'init');
    await add('say', 'create task T-9: Look at it');
  });

  it.each([
    [
      ['run', 'fix'],
      ['fix-login', 'fix-logout'],
    ],
    [['add', 'more', '--needs', 'fix-login,fix-logo'], ['fix-login,fix-logout']],
    [['packet', 'status', 'r'], ['retry-logins']],
    [['board', 'status', ''], ['T-9']],
    [['board', 'dispatch', 'T-9', ''], []],
    [['task', 'run', 'x', '--agent', 'cl'], ['claude']],
    [['workflow', 'show', 'qui'], ['quick']],
    [['gate', 'approve', ''], []],
    [['--root', '/nowhere', 'run', ''], []],
  ])('%j', (words, expected) => {
    expect(complete(...words).toSorted()).toEqual(expected);
  });

  it('changes nothing', () => {
    const before = filesIn(dir);
    expect(complete('task', 'show', '')).toEqual([expect.stringMatching(/^task-/)]);
    expect(complete('run', '').length).toBeGreaterThan(3);
    expect(filesIn(dir)).toEqual(before);
  });
});

function filesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.map((name) => `${name} ${statSync(join(folder, name)).mtimeMs}`).toSorted();
}

describe('docket completion', () => {
  it.each(shells)('%s asks docket, and has its quotes in pairs', async (shell) => {
    const { code, stdout } = await docket(['completion', shell]);
    expect(code).toBe(0);
    expect(stdout).toContain('docket __complete');
    const withoutComments = stdout.replaceAll(/^\s*#.*$/gm, '');
    expect(withoutComments.split("'").length % 2).toBe(1);
    expect(withoutComments).not.toContain('undefined');
  });

  it('says nothing about what is wrong', async () => {
    for (const argv of [[], ['x'], ['1'], ['2', 'lst', '--bogus', 'a'], ['1', 'show', '']])
      expect(await docket(['__complete', ...argv], { fail: new Error('no disk') })).toMatchObject({
        code: 0,
        stderr: '',
      });
  });

  it('tells what each word is', async () => {
    const { stdout } = await docket(['__complete', '1', 'task', 'cr']);
    expect(stdout).toBe('create\tMake a task directory\n');
    expect((await docket(['__complete', '1', 'list', '--st'])).stdout).toMatch(/^--status\tOnly these/);
  });

  it('is one value with --json', async () => {
    const answer = json(await docket(['completion', 'fish', '--json']));
    expect(answer).toMatchObject({
      ok: true,
      shell: 'fish',
      script: expect.stringContaining('docket __complete'),
    });
  });
});
