import { describe, expect, it } from 'vitest';
import { QueueProject } from '../support/queue-project.ts';
import { report } from '../support/shell-project.ts';

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
