import { describe, expect, it } from 'vitest';
import { exitOf, pause } from '../support/kill-rounds.ts';
import { until } from '../support/project.ts';
import { QueueProject, recordText } from '../support/queue-project.ts';
import { report } from '../support/shell-project.ts';

const invalidMs = 400;
const late = recordText({ name: 'late' }, 9);

/** Says when it begins; the one that is named slow goes on when it is told. */
const script = `say "$name-began"\n[ "$name" = slow ] && await go\n${report()}`;

/** Ways to leave a file in the middle of a save, given what it will be. */
const halves: [string, (whole: string) => string][] = [
  ['cut off in the new record', (whole) => whole.slice(0, whole.indexOf('name: "late"') + 10)],
  ['cut off in an old record', (whole) => whole.slice(0, whole.indexOf('name: "slow"') + 8)],
  ['empty', () => ''],
  ['not YAML', (whole) => `${whole}  - name: "late\n  }: [\n`],
  ['of another shape', () => 'tasks: 7\n'],
];

function begun(): QueueProject {
  const project = new QueueProject(script);
  project.records([{ name: 'slow' }, { name: 'other' }]);
  return project;
}

describe('a file that is half saved for a moment', { timeout: 60_000 }, () => {
  it.each(halves)('%s: run goes on and takes the edit when it is whole', async (_what, half) => {
    const project = begun();
    const exit = exitOf(project.start('run'));
    await project.said('slow-began');
    await until('it is shown as running', () => project.yaml().includes('running'));
    const whole = `${project.yaml()}${late}`;
    project.write('.takt/tasks.yaml', half(whole));
    await pause(invalidMs);
    project.write('.takt/tasks.yaml', whole);
    project.cue('go');
    expect(await exit).toBe(0);
    // A run that had just looked for the last time leaves it for the next one.
    expect((await project.docket('run')).code).toBe(0);
    expect(project.begun().toSorted()).toEqual(['late', 'other', 'slow']);
    expect(project.statusByName()).toEqual({ slow: 'completed', other: 'completed', late: 'completed' });
    expect(project.leftovers()).toEqual([]);
  });

  it.each(halves)('%s while tasks begin and end: nothing is lost', async (_what, half) => {
    const project = begun();
    const exit = exitOf(project.start('run'));
    await project.said('slow-began');
    await until('it is shown as running', () => project.yaml().includes('running'));
    const whole = `${project.yaml()}${late}`;
    project.write('.takt/tasks.yaml', half(whole));
    project.cue('go');
    await project.said('other-began'); // it does not wait for the file
    await pause(invalidMs);
    project.write('.takt/tasks.yaml', whole);
    // It may end while nobody can read the file, and says so.
    expect([0, 5]).toContain(await exit);
    expect((await project.docket('run')).code).toBe(0);
    expect(project.begun().toSorted()).toEqual(['late', 'other', 'slow']);
    expect(project.statusByName()).toEqual({ slow: 'completed', other: 'completed', late: 'completed' });
  });

  it.each(halves)('%s: watch goes on and takes the edit when it is whole', async (_what, half) => {
    const project = begun();
    const watch = project.start('watch');
    const exit = exitOf(watch);
    await project.said('slow-began');
    await until('it is shown as running', () => project.yaml().includes('running'));
    const whole = `${project.yaml()}${late}`;
    project.write('.takt/tasks.yaml', half(whole));
    await pause(invalidMs);
    project.write('.takt/tasks.yaml', whole);
    project.cue('go');
    await project.said('late-began');
    await until('all is done', () => !/pending|running/.test(project.yaml()));
    watch.kill('SIGINT');
    expect(await exit).toBe(130);
    expect(project.begun().toSorted()).toEqual(['late', 'other', 'slow']);
    expect(project.statusByName()).toEqual({ slow: 'completed', other: 'completed', late: 'completed' });
    expect(project.leftovers()).toEqual([]);
  });
});
