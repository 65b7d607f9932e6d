import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeSkill } from '../../../src/project/skill/install.ts';
import { scratch } from '../../support/scratch.ts';

const at = ['skills', 'docket', 'SKILL.md'];

async function skillAt(root: string) {
  const skill = await makeSkill({ root, env: { HOME: path.join(root, 'home') }, clock: { now: () => 0 } });
  const file = path.join(root, '.agents', ...at);
  return { ...skill, file, read: () => fs.readFileSync(file, 'utf8') };
}

describe('docket skill install', () => {
  it('writes it for all agents, and for Claude Code where that is used; a second time there is nothing to do', async () => {
    const root = scratch();
    const { install, text, file, read } = await skillAt(root);
    expect(install({})).toEqual([{ path: file, state: 'made' }]);
    expect(read()).toBe(text());
    fs.mkdirSync(path.join(root, '.claude'));
    const claude = path.join(root, '.claude', ...at);
    expect(install({}).map(({ state }) => state)).toEqual(['same', 'made']);
    expect(fs.readFileSync(claude, 'utf8')).toBe(text());
    expect(install({ user: true })).toEqual([
      { path: path.join(root, 'home', '.agents', ...at), state: 'made' },
    ]);
    expect(install({ user: true, vendors: ['claude'] }).map(({ state }) => state)).toEqual(['same', 'made']);
    const dir = path.join(root, 'elsewhere');
    expect(install({ dir })).toEqual([{ path: path.join(dir, 'docket', 'SKILL.md'), state: 'made' }]);
  });

  it('changes nothing in a dry run', async () => {
    const root = scratch();
    expect((await skillAt(root)).install({ dryRun: true })).toMatchObject([{ state: 'made' }]);
    expect(fs.readdirSync(root)).toEqual([]);
  });

  it('brings up to date what an earlier docket wrote, also when git has changed its line ends', async () => {
    const { install, file, text, read } = await skillAt(scratch());
    const hash = '5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03'; // of "hello\n"
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text().replaceAll('\n', '\r\n'));
    expect(install({})).toMatchObject([{ state: 'updated' }]);
    expect(read()).toBe(text());
    fs.writeFileSync(file, `hello\n\n<!-- docket skill sha256:${hash} -->\n`);
    expect(install({})).toMatchObject([{ state: 'kept' }]); // of another text
  });

  it('leaves what somebody edited, and with force keeps it beside', async () => {
    const { install, file, text, read } = await skillAt(scratch());
    install({});
    const edited = text().replace('## Rules', '## Our rules');
    fs.writeFileSync(file, edited);
    expect(install({})).toEqual([{ path: file, state: 'kept' }]);
    expect(install({ force: true, dryRun: true })).toMatchObject([{ state: 'replaced' }]);
    expect(read()).toBe(edited);
    const [replaced] = install({ force: true });
    expect(read()).toBe(text());
    expect(fs.readFileSync(replaced?.backup ?? '', 'utf8')).toBe(edited);
  });

  it('writes nothing through a link that leads out of the project', async () => {
    const root = scratch();
    const outside = scratch();
    fs.symlinkSync(outside, path.join(root, '.agents'));
    const { install } = await skillAt(root);
    expect(() => install({})).toThrow('not inside');
    expect(fs.readdirSync(outside)).toEqual([]);
  });

  it('writes a file once that two folders share', async () => {
    const root = scratch();
    fs.mkdirSync(path.join(root, '.agents', 'skills'), { recursive: true });
    fs.mkdirSync(path.join(root, '.claude'));
    fs.symlinkSync('../.agents/skills', path.join(root, '.claude', 'skills'));
    expect((await skillAt(root)).install({})).toHaveLength(1);
  });
});
