import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { hiddenFrom } from '../../src/engine/attempt.ts';
import { packageParts, packageRoot } from '../../src/io/package-root.ts';
import { noSandbox } from '../support/sandbox.ts';
import { scratch } from '../support/scratch.ts';
import { ScriptProject } from '../support/script-project.ts';
import { ShellProject } from '../support/shell-project.ts';

it('docket is read from its own files and the packages that it uses', () => {
  const parts = ['package.json', 'dist', 'node_modules'].map((name) => path.join(packageRoot(), name));
  expect(packageParts()).toEqual(expect.arrayContaining(parts));
});

it.skipIf(noSandbox)('the scripted agent plays for a task of low trust', { timeout: 60_000 }, async () => {
  const turn = [{ say: 'ok' }, { report: { status: 'success', summary: 'played' } }];
  const project = new ScriptProject([{ when: 'please', turns: [turn] }]);
  const scenario = path.join(scratch(), 'scenario.yaml');
  fs.copyFileSync(path.join(project.root, '.docket/scenario.yaml'), scenario);
  project.configure({ agents: { play: { adapter: 'script', command: [scenario] } } });
  const docket = await project.open();
  await docket.add({ text: 'play please', name: 'a', worktree: true, asker: 'mallory' });
  await docket.close();
  expect(await project.run('a')).toMatchObject({ status: 'done', trust: { level: 'low' } });
});

it.skipIf(noSandbox)(
  'an agent that misses a file in the sandbox: the reason says so',
  { timeout: 60_000 },
  async () => {
    const needed = path.join(scratch(), 'needed.txt');
    fs.writeFileSync(needed, 'x');
    const project = new ShellProject(`cat ${needed} || exit 3`);
    await project.docket('add', 'a please', '--name', 'a', '--worktree');
    await project.docket('trust', 'a', 'low');
    await project.docket('run', 'a');
    const { out } = await project.docket('explain', 'a');
    expect(out).toMatch(/No such file.*ran in the sandbox for low trust.*docket trust \S+ high/);
  },
);

it.each([
  ['cat: /none/at/all: No such file or directory', ''],
  ['it just ended (exit code 3)', ''],
  ["Cannot find package 'x'", 'most of your folders'],
  [`cat: ${import.meta.dirname}/x.ts: No such file; ${import.meta.dirname}`, import.meta.dirname],
])('%s', (message, expected) => {
  const said = hiddenFrom(message, 'a');
  expect(expected === '' ? said : said.includes(expected)).toBe(expected === '' ? '' : true);
});
