import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { deliver } from '../../../src/kinds/queue/deliver.ts';
import { Finished } from '../../support/finished.ts';
import { put } from '../../support/workspaces.ts';

/** A hook in a folder, and a line in `heard` for each time that it runs. */
function hook(project: Finished, folder: string, name: string, more = ''): void {
  put(folder, name, `#!/bin/sh\necho "${name} $(ls b.txt)" >> "${heardIn(project)}"\n${more}`);
  fs.chmodSync(path.join(folder, name), 0o755);
}

const heardIn = (project: Finished) => path.join(project.home, 'heard');
const heard = (project: Finished) =>
  fs.existsSync(heardIn(project)) ? fs.readFileSync(heardIn(project), 'utf8').trimEnd().split('\n') : [];

async function worked(project: Finished): Promise<string> {
  await project.add('one');
  return project.claimed('one', (cwd) => put(cwd, 'b.txt', 'b\n'));
}

describe('hooks in what docket commits', { timeout: 60_000 }, () => {
  it('are not run unless the settings say so', async () => {
    const project = new Finished();
    hook(project, project.place('.git/hooks'), 'pre-commit');
    await worked(project);
    expect(await deliver(await project.get('one'), project)).not.toHaveProperty('held');
    expect(heard(project)).toEqual([]);
  });

  it.each(['.git/hooks', '.husky/_'])(
    'are those of the repository in %s, and none that an agent left',
    async (folder) => {
      const project = new Finished();
      hook(project, project.place(folder), 'pre-commit');
      if (folder !== '.git/hooks') project.git('config', 'core.hooksPath', folder);
      const cwd = await worked(project);
      hook(project, path.join(cwd, '.git/hooks'), 'post-commit');
      const delivered = await deliver(await project.get('one'), project, { git: { hooks: true } });
      expect(delivered).toMatchObject({
        noted: { commit: expect.stringMatching(/^[0-9a-f]{40}$/) as string },
      });
      expect(heard(project)).toEqual(['pre-commit b.txt']);
    },
  );

  it('hold the task when they refuse, and the work stays', async () => {
    const project = new Finished();
    hook(project, project.place('.git/hooks'), 'pre-commit', 'echo "no tabs, please" >&2\nexit 1\n');
    const cwd = await worked(project);
    const { held, noted } = await deliver(await project.get('one'), project, { git: { hooks: true } });
    expect(held).toMatchObject({ text: expect.stringContaining('no tabs, please') as string });
    expect([noted.commit, fs.existsSync(path.join(cwd, 'b.txt'))]).toEqual([undefined, true]);
  });

  it('are run by a push as well', async () => {
    const project = new Finished();
    const origin = path.join(project.home, 'origin.git');
    project.git('init', '--quiet', '--bare', origin);
    project.git('remote', 'add', 'origin', origin);
    hook(project, project.place('.git/hooks'), 'pre-push', 'exit 1\n');
    await project.add('one', { should_publish_branch_to_origin: true });
    await project.claimed('one', (cwd) => put(cwd, 'b.txt', 'b\n'));
    const { delivery } = await deliver(await project.get('one'), project, { git: { hooks: true } });
    expect([delivery, heard(project)]).toEqual([
      { state: 'failed', cause: 'push', reason: expect.stringContaining('push') as string },
      [expect.stringContaining('pre-push')],
    ]);
    expect(await deliver(await project.get('one'), project)).toMatchObject({ noted: { pushed: 'origin' } });
  });
});
