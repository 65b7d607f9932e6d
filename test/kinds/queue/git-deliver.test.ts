import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { deliver } from '../../../src/kinds/queue/deliver.ts';
import { Finished } from '../../support/finished.ts';
import { gitIn, put } from '../../support/workspaces.ts';

const containing = (text: string): string => expect.stringContaining(text) as string;

/** A project with a bare origin, and a gh that writes down how it was called. */
function published(script = 'echo https://example.com/pull/7'): Finished {
  const project = new Finished();
  const bare = path.join(project.home, 'bare.git');
  project.git('init', '--quiet', '--bare', bare);
  project.git('remote', 'add', 'origin', bare);
  project.program(
    'gh',
    `case "$1 $2" in
"pr list") cat "${project.home}/open" 2>/dev/null || echo '[]' ;;
"pr create") printf '%s\\n' "$@" > "${project.home}/called"; cat > "${project.home}/body"; ${script} ;;
esac`,
  );
  return project;
}

const called = (project: Finished) => fs.readFileSync(path.join(project.home, 'called'), 'utf8').split('\n');
const remoteOf = (project: Finished) =>
  gitIn(path.join(project.home, 'bare.git'), 'for-each-ref', '--format=%(refname:short)').trim();

describe('handing over', { timeout: 60_000 }, () => {
  it('commits and brings home, and pushes nothing that nobody asked for', async () => {
    const project = published();
    const { noted, held } = await project.done('one', { 'b.txt': 'b\n' });
    const { branch = '' } = await project.noted('one');
    expect([noted.commit, held]).toEqual([project.commitOf(branch), undefined]);
    expect(project.git('log', '-1', '--format=%s', branch).trim()).toBe('docket: one');
    expect([remoteOf(project), project.git('status', '--porcelain')]).toEqual(['', '']);
  });

  it('does nothing in place', async () => {
    const project = new Finished();
    const before = project.commitOf('main');
    expect(await project.done('one', { 'b.txt': 'b\n' }, {}, { workspace: { kind: 'inplace' } })).toEqual({
      noted: {},
    });
    expect([project.commitOf('main'), project.git('status', '--porcelain')]).toEqual([before, '?? b.txt\n']);
  });

  it('makes a pull request where the record asks for one', async () => {
    const project = published();
    const { noted } = await project.done(
      'one',
      { 'b.txt': 'b\n' },
      { auto_pr: true, draft_pr: true, issue: 7 },
    );
    expect(noted).toMatchObject({
      pushed: 'origin',
      prUrl: 'https://example.com/pull/7',
      branch: 'takt/7/one',
    });
    expect(remoteOf(project)).toBe('takt/7/one');
    expect(called(project)).toEqual(
      expect.arrayContaining(['--draft', '--title=[#7] Title of one', '--base=main']),
    );
    expect(fs.readFileSync(path.join(project.home, 'body'), 'utf8')).toContain('Closes #7.');
  });

  it('is done all the same when that fails, and says why', async () => {
    const project = published('echo no rights >&2; exit 1');
    const { noted, held, delivery } = await project.done('one', { 'b.txt': 'b\n' }, { auto_pr: true });
    expect(held).toBeUndefined();
    expect(noted).toMatchObject({ pushed: 'origin' });
    expect(delivery).toEqual({ state: 'failed', cause: 'proposal', reason: containing('no rights') });
    fs.rmSync(path.join(project.home, 'bare.git'), { recursive: true });
    const two = await project.done('two', { 'b.txt': 'b\n' }, { should_publish_branch_to_origin: true });
    expect(two.noted).toMatchObject({ commit: project.commitOf((await project.noted('two')).branch ?? '') });
    expect(two.delivery).toEqual({
      state: 'failed',
      cause: 'push',
      reason: containing('git push to origin failed'),
    });
  });

  it('holds the task where its work stands elsewhere, and loses none of it', async () => {
    const project = new Finished();
    await project.add('one');
    const cwd = await project.claimed('one', (at) => {
      put(at, 'b.txt', 'b\n');
      gitIn(at, 'switch', '--quiet', '--create', 'agents-own');
    });
    expect((await project.delivered('one')).held).toMatchObject({
      kind: 'conflict',
      text: containing('agents-own'),
    });
    expect(fs.readFileSync(path.join(cwd, 'b.txt'), 'utf8')).toBe('b\n');
    fs.renameSync(cwd, `${cwd}-away`);
    await project.add('two');
    const other = await project.claimed('two', (at) => put(at, 'b.txt', 'b\n'));
    fs.rmSync(other, { recursive: true });
    expect((await project.delivered('two')).held).toMatchObject({ text: containing('is gone') });
  });

  it('moves no other branch, whatever its workspace says', async () => {
    const project = new Finished();
    project.git('branch', 'release');
    const before = project.commitOf('release');
    await project.add('one');
    await project.claimed('one', (at) => {
      const marker = path.join(at, '.git', 'docket.json');
      const said = JSON.parse(fs.readFileSync(marker, 'utf8')) as object;
      fs.writeFileSync(marker, JSON.stringify({ ...said, branch: 'release' }));
      put(at, 'b.txt', 'b\n');
      gitIn(at, 'checkout', '--quiet', '-B', 'release');
    });
    const { held } = await project.delivered('one');
    expect(held).toMatchObject({ kind: 'conflict', text: containing('stands on the branch "release"') });
    expect(project.commitOf('release')).toBe(before);
  });

  it.each([
    [
      'a mark in the index',
      'a.txt',
      (at: string) => {
        gitIn(at, 'update-index', '--skip-worktree', 'a.txt');
        put(at, 'a.txt', 'unseen\n');
      },
    ],
    [
      'a rule of its own',
      'unseen.txt',
      (at: string) => {
        put(at, '.git/info/exclude', '/unseen.txt\n');
        put(at, 'unseen.txt', 'needed\n');
      },
    ],
  ])('holds the task where git does not look at all of it: %s', async (_, name, hide) => {
    const project = new Finished();
    await project.add('one');
    await project.claimed('one', (at) => {
      put(at, 'b.txt', 'b\n');
      hide(at);
    });
    expect((await project.delivered('one')).held).toMatchObject({ kind: 'verify', text: containing(name) });
  });

  it('holds the task when a hook made another work of it', async () => {
    const project = new Finished();
    put(project.root, '.git/hooks/pre-commit', '#!/bin/sh\necho tidy >> b.txt; git add b.txt\n');
    fs.chmodSync(path.join(project.root, '.git/hooks/pre-commit'), 0o755);
    await project.add('one');
    await project.claimed('one', (at) => put(at, 'b.txt', 'b\n'));
    const { held, noted } = await deliver(await project.get('one'), project, { git: { hooks: true } });
    expect(held).toMatchObject({ kind: 'verify', text: containing('a hook of git changed') });
    expect(project.git('show', `${noted.commit}:b.txt`)).toBe('b\ntidy\n');
    // Proved as it is then, there is nothing more to commit.
    expect((await deliver(await project.get('one'), project, { git: { hooks: true } })).held).toBeUndefined();
  });
});

describe('docket pr', { timeout: 60_000 }, () => {
  const pr = (project: Finished, more = {}) => project.work.pullRequest('one', { remote: 'origin', ...more });

  it('pushes and opens one, or tells the one that is open', async () => {
    const project = published();
    await project.done('one', { 'b.txt': 'b\n' });
    const token = `ghp_${'c4n4ry'.repeat(6)}`;
    const input = { title: `--web ${token}`, body: `-x ${token}`, draft: true };
    expect(await pr(project, input)).toMatchObject({ url: 'https://example.com/pull/7', isNew: true });
    expect(called(project)).toEqual(expect.arrayContaining(['--title=--web [REDACTED_GH_TOKEN]', '--draft']));
    expect(fs.readFileSync(path.join(project.home, 'body'), 'utf8')).toBe('-x [REDACTED_GH_TOKEN]');
    expect(await project.noted('one')).toMatchObject({
      prUrl: 'https://example.com/pull/7',
      pushed: 'origin',
    });
    fs.writeFileSync(path.join(project.home, 'open'), '[{"url":"https://example.com/pull/9"}]');
    expect(await pr(project)).toMatchObject({ url: 'https://example.com/pull/9', isNew: false });
  });

  it('says what is missing before anything is pushed', async () => {
    const project = published();
    await project.add('one');
    await expect(pr(project)).rejects.toMatchObject({
      code: 'REFUSED',
      message: 'task one is queued, not done',
    });
    await project.done('one', { 'b.txt': 'b\n' });
    await expect(pr(project, { remote: 'nope' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    project.env['PATH'] = project.home;
    await expect(pr(project)).rejects.toMatchObject({ code: 'NOT_FOUND', message: containing('gh') });
    expect(remoteOf(project)).toBe('');
  });

  it('notes a failure, and that it is over when it is', async () => {
    const project = published('test -e "$HOME/well" || exit 1; echo https://example.com/pull/7');
    await project.done('one', { 'b.txt': 'b\n' });
    await expect(pr(project)).rejects.toMatchObject({ code: 'REFUSED' });
    expect(await project.noted('one')).toMatchObject({ pushed: 'origin' });
    expect((await project.get('one')).delivery).toMatchObject({
      state: 'failed',
      cause: 'proposal',
      reason: containing('gh pr create'),
    });
    fs.writeFileSync(path.join(project.home, 'well'), '');
    await pr(project);
    expect((await project.get('one')).delivery).toEqual({
      state: 'proposed',
      url: 'https://example.com/pull/7',
    });
  });
});

describe('docket diff', { timeout: 60_000 }, () => {
  it('looks into the workspace, then at the branch', async () => {
    const project = new Finished();
    await project.done('one', { 'b.txt': 'b\n' });
    const { workspace = '' } = await project.noted('one');
    put(workspace, 'c.txt', 'c\n');
    expect(await project.work.diff('one', 'names')).toMatchObject({ text: 'b.txt\nc.txt\n', workspace });
    fs.rmSync(workspace, { recursive: true });
    const diff = await project.work.diff('one', 'names');
    expect([diff.text, diff.workspace]).toEqual(['b.txt\n', undefined]);
    expect((await project.work.diff('one', 'stat')).text).toContain('1 file changed');
  });
});
