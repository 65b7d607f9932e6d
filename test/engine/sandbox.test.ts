import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { noSandbox } from '../support/sandbox.ts';
import { report, ShellProject } from '../support/shell-project.ts';

const attack = `echo x > inside.txt; echo x > "$CUES/outside"; ${report()}`;

async function run(permission: 'read' | 'edit') {
  const project = new ShellProject(attack, { sandbox: 'bubblewrap', permission });
  project.queue(['job'], false);
  const { code } = await project.docket('run');
  return {
    code,
    inside: fs.existsSync(path.join(project.root, 'inside.txt')),
    outside: project.has('outside'),
  };
}

describe.skipIf(noSandbox)(`a plain program in bubblewrap (${noSandbox ?? 'it is here'})`, () => {
  it('writes in its work tree and nowhere else', async () => {
    expect(await run('edit')).toEqual({ code: 0, inside: true, outside: false });
  });

  it('writes nothing when it may only read', async () => {
    expect(await run('read')).toEqual({ code: 0, inside: false, outside: false });
  });
});

describe('without a sandbox', () => {
  it('a plain program is not started for less than "full"', async () => {
    const project = new ShellProject(attack, { permission: 'read' });
    project.queue(['job'], false);
    expect((await project.docket('run')).code).toBe(5);
    expect(project.has('outside')).toBe(false);
    expect(await project.statuses()).toEqual({ job: 'blocked' });
  });
});
