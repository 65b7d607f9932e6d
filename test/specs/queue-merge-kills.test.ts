import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitOf } from '../support/kill-rounds.ts';
import { brokenTrial, dyingGit } from '../support/killed-merge.ts';
import { scratch } from '../support/scratch.ts';
import { report, ShellProject } from '../support/shell-project.ts';

/** A repository with an origin that has news, and finished tasks to merge. */
async function finished(...names: string[]): Promise<ShellProject> {
  const project = new ShellProject(`echo "$name" > "$name.txt"\n${report()}`);
  const config = JSON.parse(project.read('.docket/config.yaml')) as object;
  project.write('.docket/config.yaml', JSON.stringify({ ...config, acceptance: ['test -e a.txt'] }));
  const origin = path.join(scratch(), 'origin.git');
  project.git('init', '--quiet', '--bare', '--initial-branch=main', origin);
  project.git('remote', 'add', 'origin', origin);
  project.git('push', '--quiet', 'origin', 'main');
  project.queue(names, true);
  expect((await project.docket('run', '--concurrency', '2')).code).toBe(0);
  return project;
}

/** Something that people's repository does not have yet. */
function push(project: ShellProject, name: string): void {
  const tree = project.git('rev-parse', 'main^{tree}').trim();
  const commit = project.git('commit-tree', tree, '-p', 'origin/main', '-m', name).trim();
  project.git('push', '--quiet', 'origin', `${commit}:refs/heads/${name}`);
  project.git('update-ref', '-d', `refs/remotes/origin/${name}`);
}

describe('docket killed while it merges', { timeout: 180_000 }, () => {
  it.each(['before', 'during'] as const)(
    'leaves people a repository that works, wherever it was: %s a call of git',
    async (how) => {
      const project = await finished('one', 'two');
      const bin = path.join(scratch(), 'bin');
      const usual = project.env['PATH'] ?? '';
      const registered: string[] = [];
      const watcher = fs.watch(path.join(project.root, '.git'), (_event, name) => {
        if (name === 'worktrees') registered.push(name);
      });
      let code: number | null = null;
      let kills = 0;
      for (let at = 1; code === null; at += 1) {
        dyingGit(bin, at, how);
        project.env['PATH'] = `${bin}:${usual}`;
        const merge = project.start('merge', '--queue');
        code = await exitOf(merge);
        project.env['PATH'] = usual;
        if (merge.signalCode === 'SIGKILL') kills += 1;
        push(project, `news-${at}`);
        project.git('fetch', '--quiet', 'origin');
        expect(project.git('status', '--porcelain', '--untracked-files=no')).toBe('');
      }
      watcher.close();
      expect([code, kills > 15]).toEqual([0, true]);
      expect(registered).toEqual([]);
      // Each landed once, and nothing is left of the trials.
      expect(project.git('log', '--merges', '--format=%s', 'main').trim().split('\n').toSorted()).toEqual(
        ['one', 'two'].map((name) => expect.stringContaining(`Merge task ${name}`) as string),
      );
      expect([project.read('one.txt'), project.read('two.txt')]).toEqual(['one\n', 'two\n']);
      expect(fs.readdirSync(path.join(project.root, '.docket/queue/trials'))).toEqual([]);
    },
  );

  it('by an older version: the next merge removes the entry that it left, and people can fetch', async () => {
    const project = await finished('one');
    const dir = path.join(project.root, '.docket/queue');
    brokenTrial(project.root, dir);
    brokenTrial(project.root, dir);
    push(project, 'news');
    expect(() => project.git('fetch', '--quiet', 'origin')).toThrow('bad object');
    expect((await project.docket('merge', '--queue')).code).toBe(0);
    project.git('fetch', '--quiet', 'origin');
    expect(fs.existsSync(path.join(project.root, '.git/worktrees'))).toBe(false);
    expect(fs.readdirSync(path.join(dir, 'trials'))).toEqual([]);
  });
});
