import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { validatePath } from '../../../src/project/check/validate.ts';
import { initProject } from '../../../src/project/init/init.ts';
import { parseConfig } from '../../../src/settings/config.ts';
import { TestRepository } from '../../support/repository.ts';
import { scratch, treeOf } from '../../support/scratch.ts';

const usual = { agentsMd: false, dryRun: false };

/** A folder with an empty home, and a PATH with git and these programs on it. */
function folder(programs: Record<string, string> = {}) {
  const dir = scratch();
  const root = path.join(dir, 'root');
  const bin = path.join(dir, 'bin');
  fs.mkdirSync(root);
  fs.mkdirSync(bin);
  for (const [name, text] of Object.entries(programs))
    fs.writeFileSync(path.join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: path.join(dir, 'home') };
  return { root, here: { root, env }, at: (name: string) => path.join(root, name) };
}

const read = (file: string) => fs.readFileSync(file, 'utf8');
const states = (files: readonly { path: string; state: string }[]) =>
  Object.fromEntries(files.map((file) => [file.path, file.state]));

describe('docket init', () => {
  it('sets an empty folder up, and a second time changes nothing', async () => {
    const { root, here, at } = folder();
    const first = await initProject(here, usual);
    expect(states(first.files)).toEqual({ '.docket/config.yaml': 'made', '.docket/.gitignore': 'made' });
    expect(first.git).toEqual({ state: 'none' });
    expect(first.next[0]?.command).toBe('git init');
    expect(await validatePath(root, here.env)).toEqual([]);
    const before = treeOf(root);
    const second = await initProject(here, usual);
    expect(states(second.files)).toEqual({ '.docket/config.yaml': 'there', '.docket/.gitignore': 'there' });
    expect(treeOf(root)).toEqual(before);
    fs.writeFileSync(at('.docket/config.yaml'), '# mine\n');
    await initProject(here, usual);
    expect(read(at('.docket/config.yaml'))).toBe('# mine\n');
  });

  it('writes down the agent that is logged in, and the tests of the project', async () => {
    const { here, at } = folder({ codex: 'echo codex-cli 1.2.3', claude: 'echo 2.0.0' });
    const env = { ...here.env, CLAUDE_CODE_OAUTH_TOKEN: 'x' };
    fs.writeFileSync(at('package.json'), '{"scripts":{"test":"vitest"}}');
    fs.writeFileSync(at('package-lock.json'), '{}');
    const { agents } = await initProject({ ...here, env }, usual);
    expect(agents.filter(({ found }) => found).map(({ name }) => name)).toContain('codex');
    const text = read(at('.docket/config.yaml'));
    expect(await parseConfig(text, 'config.yaml')).toEqual({
      defaultAgent: 'claude',
      acceptance: ['npm test'],
      concurrency: 1,
    });
    expect(text).toContain('commands: [npm ci]');
  });

  it('has hints that hold when they are uncommented', async () => {
    const { here, at } = folder();
    await initProject(here, usual);
    const hints = read(at('.docket/config.yaml')).replaceAll(/^# (?=( {2})?[a-zA-Z]+:|  )/gm, '');
    const all = await parseConfig(hints, 'config.yaml');
    const keys = [
      'acceptance',
      'agents',
      'budgets',
      'concurrency',
      'defaultAgent',
      'fallback',
      'notify',
      'setup',
    ];
    expect(Object.keys(all).toSorted()).toEqual(keys);
  });

  it('writes nothing in a dry run, and shows what it would write', async () => {
    const { root, here } = folder();
    const { files } = await initProject(here, { agentsMd: true, dryRun: true });
    expect(fs.readdirSync(root)).toEqual([]);
    expect(files.map(({ text }) => typeof text)).toEqual(['string', 'string', 'string']);
    const made = await initProject(here, { agentsMd: true, dryRun: false });
    for (const { path: name, text } of files) expect(read(path.join(root, name))).toBe(text);
    expect(states(made.files)).toEqual(states(files));
  });

  it('lets git carry the settings and none of the state', async () => {
    const repository = new TestRepository({ 'a.txt': 'one\n' });
    await initProject({ root: repository.root, env: { PATH: process.env['PATH'] } }, usual);
    repository.write('.docket/queue/journal.jsonl', '{}\n');
    const seen = repository.git('status', '--porcelain', '--untracked-files=all').trimEnd().split('\n');
    expect(seen).toEqual(['?? .docket/.gitignore', '?? .docket/config.yaml']);
  });

  it('says that settings which git ignores reach nobody else', async () => {
    const repository = new TestRepository({ '.gitignore': '.docket\n' });
    const { notes, git } = await initProject({ root: repository.root, env: {} }, usual);
    expect(git).toMatchObject({ state: 'ok', branch: 'main', hasCommit: true });
    expect(notes.join()).toContain('keeps .docket/config.yaml out of git');
  });

  it('refuses a .docket that is a link, and makes nothing behind it', async () => {
    const { root, here, at } = folder();
    const elsewhere = scratch();
    fs.symlinkSync(elsewhere, at('.docket'));
    await expect(initProject(here, { agentsMd: true, dryRun: false })).rejects.toMatchObject({
      code: 'BAD_FILE',
      message: expect.stringContaining('is a link'),
    });
    expect([fs.readdirSync(elsewhere), fs.readdirSync(root)]).toEqual([[], ['.docket']]);
  });

  it('says which folder cannot be written', async () => {
    const { root, here } = folder();
    fs.chmodSync(path.dirname(root), 0o755);
    fs.chmodSync(root, 0o555);
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    onTestFinished(() => {
      if (isRoot) process.seteuid?.(0);
      fs.chmodSync(root, 0o755);
    });
    await expect(initProject(here, usual)).rejects.toMatchObject({
      code: 'NO_ACCESS',
      message: expect.stringContaining(`create the folder ${path.join(root, '.docket')}`),
    });
  });

  it('goes on where the settings are broken, and says so', async () => {
    const { here, at } = folder();
    fs.mkdirSync(at('.docket'));
    fs.writeFileSync(at('.docket/config.yaml'), 'concurency: 2\n');
    const { notes, files } = await initProject(here, usual);
    expect(notes.join()).toContain('concurency');
    expect(states(files)).toEqual({ '.docket/config.yaml': 'there', '.docket/.gitignore': 'made' });
  });
});

describe('docket init --agents-md', () => {
  const withAgents = { agentsMd: true, dryRun: false };

  it('adds a block, updates it alone, and leaves CLAUDE.md to its owner', async () => {
    const { here, at } = folder();
    fs.writeFileSync(at('AGENTS.md'), '# Ours\r\n');
    fs.writeFileSync(at('CLAUDE.md'), 'Be brief.\n');
    const first = await initProject(here, withAgents);
    expect(states(first.files)['AGENTS.md']).toBe('updated');
    expect(first.notes.join()).toContain('@AGENTS.md');
    expect(read(at('AGENTS.md'))).toMatch(/^# Ours\r\n\r\n<!-- docket:start -->\r\n/);
    fs.writeFileSync(at('CLAUDE.md'), '@AGENTS.md\n');
    const second = await initProject(here, withAgents);
    expect([states(second.files)['AGENTS.md'], second.notes]).toEqual(['there', []]);
    fs.writeFileSync(at('.docket/config.yaml'), 'acceptance: [make check]\n');
    expect(states((await initProject(here, withAgents)).files)['AGENTS.md']).toBe('updated');
    expect(read(at('AGENTS.md'))).toContain('`make check`');
    expect(read(at('CLAUDE.md'))).toBe('@AGENTS.md\n');
  });

  it.each([
    ['markers that are no pair', (file: string) => fs.writeFileSync(file, '<!-- docket:start -->\n')],
    ['bytes that are no text', (file: string) => fs.writeFileSync(file, Buffer.from([0xff, 0xfe, 0x41]))],
    ['a link that leads out', (file: string) => fs.symlinkSync(path.join(scratch(), 'other.md'), file)],
  ])('changes nothing at all where there are %s', async (_what, make) => {
    const { root, here, at } = folder();
    make(at('AGENTS.md'));
    const before = treeOf(root);
    await expect(initProject(here, withAgents)).rejects.toMatchObject({ fix: expect.any(String) });
    expect(treeOf(root)).toEqual(before);
  });

  it('is whole when many do it at once', async () => {
    const { here, at, root } = folder();
    fs.writeFileSync(at('AGENTS.md'), '# Ours\n');
    const all = await Promise.all([1, 2, 3, 4].map(() => initProject(here, withAgents)));
    const made = all.flatMap(({ files }) => files).filter(({ state }) => state !== 'there');
    expect(made.map((file) => file.path).toSorted()).toEqual([
      '.docket/.gitignore',
      '.docket/config.yaml',
      'AGENTS.md',
    ]);
    expect(read(at('AGENTS.md')).match(/docket:start/g)).toHaveLength(1);
    expect(fs.readdirSync(root).toSorted()).toEqual(['.docket', 'AGENTS.md']);
  });
});
