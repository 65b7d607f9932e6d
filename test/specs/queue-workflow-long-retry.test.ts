import { describe, expect, it } from 'vitest';
import { exitOf } from '../support/kill-rounds.ts';
import { until } from '../support/project.ts';
import { QueueProject, recordText } from '../support/queue-project.ts';
import { reports, says, WorkflowProject } from '../support/queue-workflow.ts';
import { report } from '../support/shell-project.ts';

const three = ['one', 'two', 'three'].map((name, at, names) => ({
  name,
  instruction: `Do part ${name}.`,
  rules: [
    { condition: 'done with it', next: names[at + 1] ?? 'COMPLETE' },
    { condition: 'it cannot be done', next: 'ABORT' },
  ],
}));
const fine = (step: string, title = step) => says(step, `Fine. [${title.toUpperCase()}:1]`);
const bad = (step: string, title = step) => says(step, `It is broken. [${title.toUpperCase()}:2]`);
const stepsOf = (way: readonly string[]) => way.map((step) => step.split(' ')[0]);

describe('the limit of steps', { timeout: 60_000 }, () => {
  it.each([
    ['workflow', { status: 'exceeded', exceeded_current_iteration: 2 }],
    ['piece', { status: 'failed' }],
  ])('a record with the word "%s" says so in its way; a retry goes on where it was', async (word, told) => {
    const project = new WorkflowProject(['one', 'two', 'three'].map((name) => fine(name)));
    project.workflow('three', three, { max_steps: 2 });
    project.task('it', 'three', { piece: undefined, [word]: 'three' });
    expect((await project.docket('run')).code).toBe(5);
    expect(project.record()).toMatchObject(told);
    expect((await project.show('it')).task).toMatchObject({ status: 'blocked', reason: { kind: 'budget' } });
    expect((await project.docket('run')).code).toBe(5); // not by itself
    expect((await project.docket('retry', 'it')).code).toBe(0);
    expect(project.record()?.status).toBe('pending');
    expect((await project.docket('run')).code).toBe(0);
    expect(stepsOf(await project.way('it'))).toEqual(['one', 'two', 'three']);
    expect(project.record()?.status).toBe('completed');
  });
});

describe('retry', { timeout: 60_000 }, () => {
  it('does what failed again, with a note, and nothing before it', async () => {
    const project = new WorkflowProject([fine('one'), bad('two'), fine('three')]);
    project.workflow('three', three);
    project.task('it', 'three');
    expect((await project.docket('run')).code).toBe(1);
    expect(project.record()).toMatchObject({ status: 'failed', failure: { movement: 'two' } });
    project.script(['one', 'two', 'three'].map((name) => fine(name)));
    expect((await project.docket('retry', 'it', '--note', 'The server is up again')).code).toBe(0);
    expect((await project.docket('run')).code).toBe(0);
    const { attempts } = (await project.show('it')).task;
    expect(attempts['one']?.n).toBe(1);
    expect(attempts['two']?.n).toBe(2);
    expect(project.prompts('two').at(-1)).toContain('The server is up again');
  });

  it('--from begins with the step that is named', async () => {
    const project = new WorkflowProject([
      fine('one'),
      fine('two'),
      bad('three'),
      fine('two--2', 'two'),
      fine('three--2', 'three'),
    ]);
    project.workflow('three', three);
    project.task('it', 'three');
    expect((await project.docket('run')).code).toBe(1);
    expect((await project.docket('retry', 'it', '--from', 'nowhere')).code).not.toBe(0);
    expect((await project.docket('retry', 'it', '--from', 'two')).code).toBe(0);
    expect((await project.docket('run')).code).toBe(0);
    expect(stepsOf(await project.way('it'))).toEqual(['one', 'two', 'three', 'two--2', 'three--2']);
  });

  it('start_movement says where a new task begins', async () => {
    const project = new WorkflowProject([fine('two'), fine('three')]);
    project.workflow('three', three);
    project.task('it', 'three', { start_movement: 'two' });
    expect((await project.docket('run')).code).toBe(0);
    expect(stepsOf(await project.way('it'))).toEqual(['two', 'three']);
  });

  it('a run keeps the workflow that it began with, whatever an agent writes into its file', async () => {
    const hostile = { edit: { path: '.takt/workflows/three.yaml', write: 'steps: [{ name: mine }]' } };
    const begins = says('one', 'Fine. [ONE:1]', hostile);
    const project = new WorkflowProject([begins, fine('two'), fine('three')]);
    project.workflow('three', three);
    project.task('it', 'three');
    expect((await project.docket('run')).code).toBe(0);
    expect(project.read('.takt/workflows/three.yaml')).toContain('mine');
    expect(stepsOf(await project.way('it'))).toEqual(['one', 'two', 'three']);
  });

  it('a task that is put back takes the workflow as it is now', async () => {
    const project = new WorkflowProject([fine('one'), bad('two'), fine('three')]);
    project.workflow('three', three);
    project.task('it', 'three');
    expect((await project.docket('run')).code).toBe(1);
    const ends = {
      name: 'two',
      instruction: 'Do part two now.',
      rules: [{ condition: 'over', next: 'COMPLETE' }],
    };
    project.workflow('three', three.with(1, ends));
    project.script([reports('two', 'done now')]);
    expect((await project.docket('retry', 'it')).code).toBe(0);
    expect((await project.docket('run')).code).toBe(0);
    expect(stepsOf(await project.way('it'))).toEqual(['one', 'two']);
  });
});

describe('watch', { timeout: 60_000 }, () => {
  it('picks up what is added, edited and put back, until it is told to end', async () => {
    const project = new QueueProject(
      `say "$name-began"\n[ "$name" = first ] && [ ! -e "$CUES/mended" ] && { ${report({ status: 'failed' })}; exit 0; }\n${report()}`,
    );
    project.records([{ name: 'first' }]);
    const watch = project.start('watch', '--concurrency', '2');
    const exit = exitOf(watch);
    await project.said('first-began');
    expect((await project.docket('add', 'second please', '--name', 'second')).code).toBe(0);
    await project.said('second-began');
    const settled = () => project.yaml().match(/completed\n/g)?.length;
    await until('the second is done', () => settled() === 1);
    project.write('.takt/tasks.yaml', `${project.yaml()}${recordText({ name: 'third' }, 9)}`);
    await project.said('third-began');
    await until('the third is done', () => settled() === 2);
    project.cue('mended');
    expect((await project.docket('retry', 'first')).code).toBe(0);
    await until('the first is done', () => settled() === 3);
    watch.kill('SIGTERM');
    expect(await exit).toBe(130);
    expect(project.begun()).toEqual(['first', 'second', 'third', 'first']);
  });
});

describe('--concurrency', { timeout: 60_000 }, () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const counting = `n=$(ls "$CUES" | grep -c '^at-work') ; : > "$CUES/at-work-$name"
ls "$CUES" | grep -c '^at-work' >> "$CUES/together"
sleep 1\nrm "$CUES/at-work-$name"\n${report()}`;

  it.each([
    [3, 3],
    [1, 1],
  ])('%i: never more than that at once', async (slots, most) => {
    const project = new QueueProject(counting);
    project.records(names.map((name) => ({ name, worktree: true })));
    expect((await project.docket('run', '--concurrency', String(slots))).code).toBe(0);
    const together = project.cueText('together').trim().split('\n').map(Number);
    expect(together).toHaveLength(names.length);
    expect(Math.max(...together)).toBe(most);
  });
});
