import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../../src/surfaces/cli/frame/exit-codes.ts';
import { groups } from '../../../src/surfaces/cli/frame/groups.ts';
import { globalOptions } from '../../../src/surfaces/cli/frame/options.ts';
import { statusNames, statusSynonyms } from '../../../src/surfaces/cli/frame/statuses.ts';
import { version } from '../../../src/surfaces/cli/frame/version.ts';
import { displayWidth } from '../../../src/surfaces/cli/frame/visible.ts';
import { statuses } from '../../../src/task/status.ts';
import { commands } from './all-commands.ts';
import { docket, json } from './fake-world.ts';

function expectOneScreen(text: string): void {
  const lines = text.replace(/\n$/, '').split('\n');
  expect(lines.length).toBeLessThanOrEqual(30);
  expect(lines.filter((line) => displayWidth(line) > 80)).toEqual([]);
}

describe('the command table', () => {
  it('gives an option of one name the same form everywhere, so that lines can be read before the command', () => {
    const all = [...commands.flatMap(({ options }) => options), ...globalOptions];
    const takers = new Set(all.filter(({ value }) => value !== undefined).map(({ name }) => name));
    expect(all.filter(({ name, value }) => value === undefined && takers.has(name))).toEqual([]);
  });

  it('has names of one or two words, once each', () => {
    expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length);
    for (const { name } of commands) expect(name).toMatch(/^[a-z-]+( [a-z-]+)?$/);
  });

  it('has a file for each', () => {
    const files = readdirSync(new URL('../../../src/surfaces/cli/commands/', import.meta.url));
    const named = commands.map(({ name }) => `${name.replaceAll(' ', '-')}.ts`);
    expect(files.toSorted()).toEqual(named.toSorted());
  });

  it('has help for each first word that is no command', () => {
    const firsts = commands.map(({ name }) => name.split(' ')[0]!);
    const alone = new Set(firsts.filter((first) => !commands.some(({ name }) => name === first)));
    expect(groups.map(({ name }) => name).toSorted()).toEqual([...alone].toSorted());
  });

  it('knows the statuses of the core', () => {
    expect(statusNames).toEqual([...statuses]);
    for (const status of statuses) expect(statusSynonyms[status]).toBeUndefined();
  });

  it('has the version of the package', () => {
    const file = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
    expect(version).toBe((JSON.parse(file) as { version: string }).version);
  });
});

describe('help', () => {
  it('is one screen with the verbs of every day in four groups', async () => {
    const { stdout, stderr, code } = await docket(['--help']);
    expect([code, stderr]).toEqual([0, '']);
    expectOneScreen(stdout);
    expect(stdout.match(/^ {2}(?:Start|Work|Review|Look) /gm)).toHaveLength(4);
    for (const name of ['init', 'add', 'run', 'answer', 'retry', 'diff', 'merge', 'status', 'show', 'logs'])
      expect(stdout).toContain(` ${name} `);
    expect(stdout.match(/^ {2}docket /gm)).toHaveLength(2);
    expect(stdout).toContain('docket help all');
    expect(stdout).toContain('help exit-codes');
  });

  it('names every command with its summary when asked for all', async () => {
    const { stdout } = await docket(['help', 'all']);
    const top = [...groups, ...commands.filter(({ name }) => !name.includes(' '))];
    for (const { name } of top) expect(stdout).toMatch(new RegExp(`\\b${name} +[A-Z]`));
    for (const line of stdout.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(100);
  });

  it.each(commands.map(({ name }) => name))('of %s is one screen', async (name) => {
    const shown = await docket([...name.split(' '), '--help']);
    expect(shown.code).toBe(0);
    expectOneScreen(shown.stdout);
    expect(await docket(['help', ...name.split(' ')])).toEqual(shown);
    expect(await docket(['-h', ...name.split(' ')])).toEqual(shown);
  });

  it('of a command names what stands below it', async () => {
    expect((await docket(['agents', '--help'])).stdout).toContain('See also: docket agents try');
  });

  it.each(groups.map(({ name }) => name))('of the group %s is one screen', async (name) => {
    const shown = await docket([name, '--help']);
    expect([shown.code, shown.stderr]).toEqual([0, '']);
    expectOneScreen(shown.stdout);
    for (const command of commands.filter((one) => one.name.startsWith(`${name} `)))
      expect(shown.stdout).toContain(`  ${command.name.slice(name.length + 1)} `);
    expect(await docket(['help', name])).toEqual(shown);
    // Alone it asks for nothing: the same screen, but as an error, as with docket alone.
    expect(await docket([name])).toEqual({ ...shown, code: 2, stdout: '', stderr: shown.stdout });
    expect(json(await docket([name, '--json']))).toMatchObject({ ok: false, error: { code: 'USAGE' } });
    expect(json(await docket([name, '--help', '--json']))).toMatchObject({ ok: true, group: { name } });
  });

  it('is data with --json', async () => {
    const all = json(await docket(['--help', '--json'])) as { ok: boolean; commands: { name: string }[] };
    expect(all.ok).toBe(true);
    expect(all.commands.map(({ name }) => name)).toEqual(commands.map(({ name }) => name));
    expect(json(await docket(['help', 'add', '--json']))).toMatchObject({ command: { name: 'add' } });
  });

  it('lists the exit codes', async () => {
    const { stdout } = await docket(['help', 'exit-codes']);
    for (const { code, meaning } of exitCodes) expect(stdout).toContain(`${code}  ${meaning}`);
    expect(json(await docket(['help', 'exit-codes', '--json']))).toMatchObject({ exitCodes });
  });

  it('is an error for an unknown command', async () => {
    expect(await docket(['help', 'lsit'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('list'),
    });
  });
});
