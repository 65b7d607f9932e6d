import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openDocket } from '../../src/project/docket.ts';
import { findRoot } from '../../src/project/root.ts';
import { ended, start } from '../support/child.ts';
import { noSandbox } from '../support/sandbox.ts';
import { scratch, storeDir } from '../support/scratch.ts';
import { report, ShellProject } from '../support/shell-project.ts';

const bin = fileURLToPath(new URL('../../bin/docket', import.meta.url));
const called = (line: string): string => `'${process.execPath}' '${bin}' ${line}`;
const marked = { DOCKET_MARK: '0123456789abc' };
const finds = `${called('list')} > "$CUES/listed" 2>&1
${called('add "work I found"')} > "$CUES/added" 2>&1; say "ended-$?"\n${report()}`;

async function titles(root: string): Promise<string[]> {
  const docket = await openDocket({ cwd: root, root });
  const { tasks } = await docket.list({});
  await docket.close();
  return tasks.map(({ title }) => title);
}

function cue(project: ShellProject, name: string): string {
  return fs.readFileSync(path.join(project.cues, name), 'utf8');
}

function cloneOf(project: ShellProject): string {
  const clones = path.join(storeDir(project.root), 'clones');
  return path.join(clones, fs.readdirSync(clones)[0] ?? 'none');
}

it.each(['', 'mkdir -p deep/er && git init -q deep/er && cd deep/er\n'])(
  'an agent in its clone sees the queue of its project and adds to it: %j',
  async (before) => {
    const project = new ShellProject(`${before}${finds}`);
    project.queue(['a'], true);
    await project.docket('run', 'a');
    expect(cue(project, 'listed')).toMatch(/^a +running/m);
    expect(cue(project, 'listed')).toContain(`docket works on its project, ${fs.realpathSync(project.root)}`);
    expect(project.has('ended-0')).toBe(true);
    expect(await titles(project.root)).toEqual(['a please', 'work I found']);
    expect((await project.docket('trust', 'work-i-found')).out).toMatch(/: low \(agent/);
    expect(fs.existsSync(path.join(cloneOf(project), '.docket'))).toBe(false);
  },
);

it('a person in a workspace, wherever it is, is in its project', async () => {
  const project = new ShellProject(report());
  const away = path.join(scratch(), 'away');
  await project.docket('add', 'there', `--worktree=${away}`);
  await project.docket('add', 'here', '--worktree');
  await project.docket('run');
  const root = fs.realpathSync(project.root);
  for (const cwd of [away, cloneOf(project)])
    expect(await findRoot({ cwd, env: {} })).toMatchObject({ root, how: 'workspace' });
  expect(await findRoot({ cwd: away, env: {}, root: away })).toEqual({ root: away, how: 'named' });
});

it('a marker that its project does not know leads nobody anywhere', async () => {
  const project = new ShellProject(report());
  const away = path.join(scratch(), 'away');
  await project.docket('add', 'there', `--worktree=${away}`);
  await project.docket('run');
  const other = new ShellProject(report());
  await other.docket('add', 'x');
  const file = path.join(away, '.git/docket.json');
  const said = JSON.parse(fs.readFileSync(file, 'utf8')) as object;
  // Another project; one that lies in the workspace, with a copy of the journal that knows it.
  const inside = path.join(away, 'evil');
  fs.cpSync(path.join(project.root, '.docket'), path.join(inside, '.docket'), { recursive: true });
  for (const root of [other.root, inside]) {
    fs.writeFileSync(file, JSON.stringify({ ...said, root: path.relative(away, root) }));
    expect(await findRoot({ cwd: away, env: {} })).toEqual({ root: away, how: 'found' });
    await expect(findRoot({ cwd: away, env: marked })).rejects.toMatchObject({ code: 'NO_ACCESS' });
  }
});

it.skipIf(noSandbox)('an agent in a sandbox hears that it cannot add, and makes no queue', async () => {
  const project = new ShellProject(finds, { sandbox: 'bubblewrap' });
  project.queue(['a'], true);
  // It writes its answers where it may.
  const script = path.join(project.cues, 'agent.sh');
  fs.writeFileSync(
    script,
    fs.readFileSync(script, 'utf8').replaceAll('$CUES/', 'seen-').replace(/say "/, ': "'),
  );
  await project.docket('run', 'a');
  const seen = (name: string) => fs.readFileSync(path.join(cloneOf(project), `seen-${name}`), 'utf8');
  expect(seen('listed')).toMatch(/^a +running/m);
  expect(seen('added')).toContain('this agent cannot write to the project');
  expect(seen('added')).toContain('in your report');
  expect(await titles(project.root)).toEqual(['a please']);
});

it.skipIf(noSandbox)('one of low trust hears that its project cannot be reached', async () => {
  const project = new ShellProject(finds);
  project.configure({ trust: { paths: [project.cues, path.resolve(path.dirname(bin), '..')] } });
  const script = path.join(project.cues, 'agent.sh');
  fs.writeFileSync(
    script,
    fs.readFileSync(script, 'utf8').replaceAll('$CUES/', 'seen-').replace(/say "/, ': "'),
  );
  await project.docket('add', 'a please', '--worktree', '--name', 'a');
  await project.docket('trust', 'a', 'low');
  await project.docket('run', 'a');
  const seen = (name: string) => fs.readFileSync(path.join(cloneOf(project), `seen-${name}`), 'utf8');
  for (const name of ['listed', 'added'])
    expect(seen(name)).toMatch(/workspace of task .* cannot be reached/);
  expect(await titles(project.root)).toEqual(['a please']);
});

it('an agent makes no project', async () => {
  const cwd = scratch();
  const docket = await openDocket({ cwd, env: marked });
  await expect(docket.add({ text: 'x' })).rejects.toMatchObject({
    code: 'REFUSED',
    message: expect.stringContaining(cwd),
  });
  expect(fs.readdirSync(cwd)).toEqual([]);
});

async function docketIn(cwd: string, home: string, ...args: string[]) {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, NO_COLOR: '1' };
  const child = start(process.execPath, [bin, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr?.on('data', (text) => (stderr += String(text)));
  return { ...(await ended(child)), stderr };
}

it.each(['run', 'watch', 'merge --queue', 'restore x', 'delete x', 'trust x high', 'pr x', 'board rebuild'])(
  'docket %s makes no project of a folder',
  async (line) => {
    const cwd = scratch();
    const { code, stderr } = await docketIn(cwd, cwd, ...line.split(' '));
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining(`no docket project here: neither ${cwd} nor`),
    ]);
    expect(fs.readdirSync(cwd)).toEqual([]);
  },
);

it('says which folder became a project, and that there is none', async () => {
  const cwd = scratch();
  expect((await docketIn(cwd, cwd, 'list')).stderr).toContain('no docket project here');
  expect((await docketIn(cwd, cwd, 'add', 'x')).stderr).toBe(`note: ${cwd} is a docket project now\n`);
  expect((await docketIn(cwd, cwd, 'add', 'y')).stderr).toBe('');
});

it('a project that is reached by a link has one name', async () => {
  const root = fs.realpathSync(scratch());
  fs.mkdirSync(path.join(root, '.docket'));
  fs.mkdirSync(path.join(root, 'src'));
  const link = path.join(scratch(), 'link');
  fs.symlinkSync(root, link);
  expect(await findRoot({ cwd: '/', root: link })).toEqual({ root, how: 'named' });
  expect(await findRoot({ cwd: path.join(link, 'src') })).toEqual({ root, how: 'found' });
});

it('takes no home for the root of what lies below it, and says so', async () => {
  const home = scratch();
  const below = path.join(home, 'notes');
  for (const dir of ['notes', '.takt']) fs.mkdirSync(path.join(home, dir));
  const { code, stderr } = await docketIn(below, home, 'run');
  expect([code, stderr]).toEqual([3, expect.stringContaining(`${home} does, and is not taken`)]);
  expect(stderr).toContain(`--root ${home}`);
  expect(await findRoot({ cwd: home, env: { HOME: home } })).toEqual({ root: home, how: 'found' });
  await docketIn(below, home, 'add', 'x');
  expect(fs.existsSync(path.join(below, '.takt/tasks.yaml'))).toBe(true);
});

it('says that a path which is not UTF-8 is why nothing works there, and takes no project above it', () => {
  const above = scratch();
  fs.mkdirSync(path.join(above, '.git'));
  const root = Buffer.concat([Buffer.from(`${above}/caf`), Buffer.from([0xe9])]);
  fs.mkdirSync(root);
  fs.mkdirSync(Buffer.concat([root, Buffer.from('/.git')]));
  // A shell can go where node cannot.
  const docket = fileURLToPath(new URL('../../bin/docket', import.meta.url));
  const script = `cd caf* && exec '${process.execPath}' '${docket}' list --json`;
  const { status, stdout } = spawnSync('/bin/sh', ['-c', script], { cwd: above, encoding: 'utf8' });
  expect([status, JSON.parse(stdout)]).toMatchObject([
    2,
    { ok: false, error: { code: 'INVALID', message: expect.stringContaining('is not valid UTF-8') } },
  ]);
});
