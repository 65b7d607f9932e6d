import { describe, expect, it } from 'vitest';
import type { Task } from '../../src/task/schema.ts';
import { ObedientProject } from '../support/obedient.ts';

const textOf = (task: Task): string => (task.status === 'blocked' ? task.reason.text : task.status);
const evidenceOf = (project: ObedientProject, { id }: Task): string =>
  project.read(`.docket/queue/evidence/${id}/evidence.jsonl`);

async function ran(orders: readonly string[], settings: object = {}, worktree = true) {
  const project = new ObedientProject(settings);
  await project.add({ text: orders.join('\n'), name: 'job', ...(worktree && { worktree }) });
  return { project, task: await project.ran() };
}

describe('work that git ignores because the task said so', { timeout: 60_000 }, () => {
  it('is not done where nothing of it would be committed', async () => {
    const { task } = await ran(["RUN: echo '*' > .gitignore", 'WRITE: b.txt: b'], {
      acceptance: ['test -f b.txt'],
    });
    expect(task).toMatchObject({ status: 'blocked', reason: { kind: 'verify' } });
    expect(textOf(task)).toMatch(/^nothing would be committed: .*is ignored now: b\.txt\./);
  });

  it('is reported where it was there for the proof, and the rest is committed', async () => {
    const { project, task } = await ran([
      'RUN: mkdir dist; echo x > dist/x; echo dist/ > .gitignore',
      'WRITE: b.txt: b',
    ]);
    expect(task.status).toBe('done');
    expect(evidenceOf(project, task)).toContain('because the task changed what git ignores: dist/');
  });

  it('is nothing to speak of in a folder of a tool that keeps itself out of git', async () => {
    const { project, task } = await ran([
      "RUN: mkdir .cache; echo '*' > .cache/.gitignore; echo x > .cache/x",
    ]);
    expect(task.status).toBe('done');
    expect(evidenceOf(project, task)).not.toContain('what git ignores');
  });
});

it(
  'docket show says which files that the commands run were changed by the task',
  { timeout: 60_000 },
  async () => {
    const { project, task } = await ran(['WRITE: check.sh: true'], { acceptance: ['sh check.sh'] }, false);
    expect(task.status).toBe('done');
    const { out } = await project.docket('show', 'job');
    expect(out).toContain('what the proof runs: changed by the task: check.sh (sh check.sh)');
    const shown = JSON.parse((await project.docket('show', 'job', '--json')).out) as { evidence?: object[] };
    expect(JSON.stringify(shown)).toContain('changed by the task: check.sh (sh check.sh)');
  },
);
