import { describe, expect, it } from 'vitest';
import { exitOf } from '../support/kill-rounds.ts';
import { QueueProject } from '../support/queue-project.ts';
import { report } from '../support/shell-project.ts';

const names = Array.from({ length: 40 }, (_, index) => `job-${String(index + 1).padStart(2, '0')}`);

describe('several dockets run one queue of forty tasks', { timeout: 240_000 }, () => {
  it.each([
    [2, 3],
    [4, 2],
  ])('%i at once, %i tasks each', async (dockets, slots) => {
    const project = new QueueProject(`sleep 0.1\necho "$name" > "$name.txt"\n${report()}`);
    project.records(names.map((name) => ({ name, worktree: true })));
    const runs = Array.from({ length: dockets }, () => project.start('run', '--concurrency', String(slots)));
    expect(await Promise.all(runs.map(exitOf))).toEqual(runs.map(() => 0));
    // The last one may have looked while the others still had the rest.
    expect(project.begun().toSorted()).toEqual(names);
    expect(project.statusByName()).toEqual(Object.fromEntries(names.map((name) => [name, 'completed'])));
    expect(project.events('task.done')).toHaveLength(names.length);
    expect(project.leftovers()).toEqual([]);
    // Each has its own branch with its own work, and nothing else.
    const branches = project
      .git('for-each-ref', '--format=%(refname:short)', 'refs/heads/takt')
      .trimEnd()
      .split('\n');
    const works = branches.map((branch) => project.git('diff', '--name-only', `main..${branch}`).trimEnd());
    expect(works.toSorted()).toEqual(names.map((name) => `${name}.txt`));
  });

  it('in place one after the other', async () => {
    const few = names.slice(0, 8);
    const project = new QueueProject(
      `mkdir "$CUES/alone" || echo "together $name" >> "$CUES/together"\nsleep 0.05\nrmdir "$CUES/alone"\n${report()}`,
    );
    project.records(few.map((name) => ({ name })));
    const runs = [1, 2, 3].map(() => exitOf(project.start('run', '--concurrency', '4')));
    expect(await Promise.all(runs)).toEqual([0, 0, 0]);
    expect(project.begun().toSorted()).toEqual(few);
    expect(project.has('together')).toBe(false);
  });
});
