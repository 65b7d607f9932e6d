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

describe('the exit code', () => {
  it('is 1 when a task failed, also for all others that are done', async () => {
    const project = new QueueProject(
      `[ "$name" = bad ] && { ${report({ status: 'failed', summary: 'it cannot be done' })}; exit 0; }\n${report()}`,
    );
    project.records(['one', 'bad', 'two'].map((name) => ({ name })));
    const { code } = await project.docket('run');
    expect(code).toBe(1);
    expect(project.statusByName()).toEqual({ one: 'completed', bad: 'failed', two: 'completed' });
    expect(project.rawRecords()[1]?.failure?.error).toContain('it cannot be done');
    expect((await project.docket('run')).code).toBe(0); // nothing to run is nothing that failed
    expect(project.begun()).toEqual(['one', 'bad', 'two']);
  });

  it('is 5 when a person has to act', async () => {
    const asks = report({ status: 'blocked', summary: 'which one?', questions: ['Blue or green?'] });
    const project = new QueueProject(`[ "$name" = asks ] && { ${asks}; exit 0; }\n${report()}`);
    project.records(['asks', 'two'].map((name) => ({ name })));
    expect((await project.docket('run')).code).toBe(5);
    expect(project.begun()).toEqual(['asks', 'two']);
    expect((await project.statuses())['two']).toBe('done');
    expect((await project.statuses())['asks']).toBe('blocked');
  });
});
