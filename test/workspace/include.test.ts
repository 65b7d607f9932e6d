import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { includeIgnored } from '../../src/workspace/include.ts';
import { gitIn, put, Workspaces } from '../support/workspaces.ts';

describe('.worktreeinclude', () => {
  it('copies what git ignores, and nothing else; no link leads out', async () => {
    const project = new Workspaces({ 'a.txt': 'one\n', '.gitignore': '.docket\n.env*\nlocal/\n' });
    for (const [name, text] of Object.entries({
      '.worktreeinclude': '# what is wanted\n.env*\nlocal/**\nnew.txt\na.txt\n',
      '.env': 'SECRET=1\n',
      '.env [x]*': 'odd\n',
      'local/deep/ö': 'deep\n',
      'new.txt': 'not ignored\n',
    }))
      project.write(name, text);
    fs.chmodSync(project.place('.env'), 0o600);
    fs.symlinkSync('deep/ö', project.place('local/inside'));
    fs.symlinkSync('/etc/passwd', project.place('local/out'));
    fs.symlinkSync('../../outside', project.place('local/up'));
    const { cwd } = await project.make();
    expect(fs.statSync(path.join(cwd, '.env')).mode & 0o777).toBe(0o600);
    expect(fs.readFileSync(path.join(cwd, '.env [x]*'), 'utf8')).toBe('odd\n');
    expect(fs.readFileSync(path.join(cwd, 'local/inside'), 'utf8')).toBe('deep\n');
    expect(fs.readdirSync(path.join(cwd, 'local')).toSorted()).toEqual(['deep', 'inside']);
    expect(fs.existsSync(path.join(cwd, 'new.txt'))).toBe(false);
    // An agent that takes the rule away still does not commit the secret.
    put(cwd, '.gitignore', '');
    gitIn(cwd, 'add', '--all');
    expect(gitIn(cwd, 'diff', '--cached', '--name-only').trim()).toBe('.gitignore');
  });

  it('takes nothing out of other repositories and work trees, nor out of what a package manager made', async () => {
    const project = new Workspaces({
      'a.txt': 'one\n',
      '.gitignore': '.docket\n.env\n/trees/\nnode_modules\n',
    });
    project.git('init', '--quiet', 'other');
    project.git('init', '--quiet', '--bare', 'bare');
    project.git('worktree', 'add', '--quiet', 'trees/one');
    const others = ['other', 'bare', 'trees/one', 'node_modules/pkg', 'app/.venv/lib', 'app/vendor/x'];
    for (const folder of ['.', 'app', ...others]) project.write(`${folder}/.env`, `of ${folder}\n`);
    const { cwd } = await project.make();
    const copied = await includeIgnored(project.root, cwd, ['.env', '/trees/**', 'node_modules/**']);
    expect(copied.toSorted()).toEqual(['.env', 'app/.env']);
    expect(fs.readFileSync(path.join(cwd, 'app/.env'), 'utf8')).toBe('of app\n');
    expect(others.filter((folder) => fs.existsSync(path.join(cwd, folder)))).toEqual([]);
    // Again: what is there stays, also when it was changed.
    put(cwd, '.env', 'mine');
    expect(await includeIgnored(project.root, cwd, ['.env'])).toEqual([]);
    expect(fs.readFileSync(path.join(cwd, '.env'), 'utf8')).toBe('mine');
    expect(fs.readdirSync(cwd).filter((name) => name.includes('docket-copy'))).toEqual([]);
  });
});
