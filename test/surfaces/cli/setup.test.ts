import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch } from '../../support/scratch.ts';
import { answerIn, inFolder } from './real-world.ts';

describe('docket init', () => {
  it('says what it made and found, and which commands come next', async () => {
    const root = scratch();
    const { code, stdout, stderr } = await inFolder(root, ['init']);
    expect(code).toBe(0);
    expect(stdout).toBe('made           .docket/config.yaml\nmade           .docket/.gitignore\n');
    expect(stderr).toContain(`Done in ${root}:`);
    expect(stderr).toMatch(/Next:\n {2}git init +make it a repository\n/);
    expect((await inFolder(root, ['init'])).stdout).toBe(
      'left as it is  .docket/config.yaml\nleft as it is  .docket/.gitignore\n',
    );
  });

  it('is silent with --quiet', async () => {
    expect(await inFolder(scratch(), ['init', '--quiet'])).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('shows the files of a dry run, and makes none', async () => {
    const root = scratch();
    const { stdout } = await inFolder(root, ['init', '--dry-run', '--agents-md']);
    expect(stdout).toContain('would make     .docket/config.yaml\n    # How docket works');
    expect(stdout).toContain('would make     AGENTS.md\n    <!-- docket:start -->\n    ## docket\n');
    expect(fs.readdirSync(root)).toEqual([]);
  });

  it('works in the root of the repository from a folder below it', async () => {
    const root = scratch();
    fs.mkdirSync(path.join(root, '.git'));
    fs.mkdirSync(path.join(root, 'src'));
    const answer = await answerIn(path.join(root, 'src'), ['init']);
    expect(answer).toMatchObject({ ok: true, root, dryRun: false });
    expect(fs.readdirSync(path.join(root, 'src'))).toEqual([]);
  });

  it('tells a broken pair of markers with file and line, and changes nothing', async () => {
    const root = scratch();
    fs.writeFileSync(path.join(root, 'AGENTS.md'), 'a\n<!-- docket:end -->\n');
    const { code, stderr } = await inFolder(root, ['init', '--agents-md']);
    expect([code, fs.readdirSync(root)]).toEqual([2, ['AGENTS.md']]);
    expect(stderr).toContain('end in line 2');
  });
});

describe('docket doctor', () => {
  it('shows each check, what is wrong with it, and the command that mends it', async () => {
    const root = scratch();
    fs.mkdirSync(path.join(root, '.docket'));
    fs.writeFileSync(path.join(root, '.docket/config.yaml'), 'concurency: 1\n');
    const { code, stdout, stderr } = await inFolder(root, ['doctor', '--root', root], { tty: true });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ok {4}node {8}Node \d/m);
    expect(stdout).toMatch(
      /^bad {3}settings .*concurency.*\n +where: .*config\.yaml:1:\d+\n +fix: did you mean/m,
    );
    expect(stdout).toContain(`run: docket --root ${root} init\n`);
    expect(stderr).toContain('looking at agents …');
    expect(stderr).toMatch(/\d+ problems?, \d+ warnings?\./);
    const answer = await answerIn(root, ['doctor']);
    expect(answer).toMatchObject({ ok: false, error: { code: 'FINDINGS' }, root });
    expect(fs.readdirSync(root, { recursive: true })).toHaveLength(2);
  });
});
