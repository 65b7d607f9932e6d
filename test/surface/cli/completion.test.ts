import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shells } from '../../../src/surface/cli/commands/completion.ts';
import { bashScript } from '../../../src/surface/cli/completion/bash.ts';
import { globalOptions } from '../../../src/surface/cli/options.ts';
import { commands } from './all-commands.ts';
import { docket, json } from './fake-world.ts';

const dir = mkdtempSync(join(tmpdir(), 'docket-completion-'));
beforeAll(() => {
  writeFileSync(join(dir, 'docket.bash'), bashScript(commands));
  mkdirSync(join(dir, 'a folder'));
  writeFileSync(join(dir, 'a file.md'), '');
});
afterAll(() => rmSync(dir, { recursive: true }));

/** Asks a real bash what it would offer. The words are as bash cuts them; the last one is being typed. */
function complete(...words: string[]): string[] {
  const script = [
    'source ./docket.bash; words=("$@")',
    'COMP_WORDS=(docket "${words[@]}") COMP_CWORD=$#',
    '_docket; printf "%s\\n" "${COMPREPLY[@]}"',
  ].join('\n');
  const ran = spawnSync('bash', ['--norc', '-c', script, 'bash', ...words], { cwd: dir, encoding: 'utf8' });
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

describe('docket completion', () => {
  it.each(shells)('%s has every command, option and status', async (shell) => {
    const { code, stdout } = await docket(['completion', shell]);
    expect(code).toBe(0);
    for (const { name, options } of commands) {
      const [group, word] = name.split(' ');
      // fish has no place for the whole name of a command without options.
      expect([name, `"${group}"' -a '${word}'`].some((text) => stdout.includes(text))).toBe(true);
      for (const option of options) expect(stdout).toMatch(new RegExp(`(--|-l )${option.name}\\b`));
    }
    expect(stdout).toContain('canceled');
    // Quotes come in pairs, or the shell would read on for ever; comments and texts may hold an apostrophe.
    const code_ = stdout.replaceAll(/^\s*#.*$/gm, '').replaceAll(/'\\''|\\'/g, '');
    expect(code_.split("'").length % 2).toBe(1);
    expect(code_).not.toContain('undefined');
  });

  it('is one value with --json', async () => {
    const answer = json(await docket(['completion', 'fish', '--json']));
    expect(answer).toMatchObject({
      ok: true,
      shell: 'fish',
      script: expect.stringContaining('complete -c docket'),
    });
  });
});
