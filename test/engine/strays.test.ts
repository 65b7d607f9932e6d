import { describe, expect, it } from 'vitest';
import { findMarked } from '../../src/io/process/family.ts';
import { execute } from '../../src/store/execute.ts';
import { until } from '../support/project.ts';
import { openStore } from '../support/scratch.ts';
import { report, ShellProject } from '../support/shell-project.ts';

async function cancel(project: ShellProject, name: string): Promise<void> {
  const id = await project.idOf(name);
  const store = await openStore(project.root);
  const now = new Date().toISOString();
  const done = await execute(store, { type: 'cancel', id, by: 'ann', reason: 'not needed' }, { now });
  await store.close();
  if (!done.ok) throw new Error(done.refusal.message);
}

const waiting = `say "began-$name"\nawait go\n${report()}`;

describe('a task that is taken away', { timeout: 60_000 }, () => {
  it('costs its agent the work, and nobody else theirs', async () => {
    const project = new ShellProject(waiting, { limits: { graceSeconds: 1 } });
    project.queue(['gone', 'kept'], true);
    const run = project.start('run', '--parallel', '2', '--json');
    let out = '';
    run.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text));
    run.stderr?.resume();
    const exit = new Promise((resolve) => run.once('close', resolve));
    await project.said('began-gone');
    await project.said('began-kept');
    const marks = project.events('attempt.started');
    const gone = await project.idOf('gone');
    const mark = marks.find(({ taskId }) => taskId === gone)?.data['mark'] as string;
    expect(findMarked(mark)).not.toEqual([]);
    await cancel(project, 'gone');
    await until('its agent is ended', () => findMarked(mark).length === 0);
    expect(project.leftovers()).not.toEqual([]);
    project.cue('go');
    expect(await exit).toBe(0); // a person decided, and nothing failed
    const { tasks } = JSON.parse(out) as { tasks: { name: string; status: string }[] };
    expect(tasks.map(({ name, status }) => [name, status])).toEqual([
      ['gone', 'canceled'],
      ['kept', 'done'],
    ]);
    const ended = project.events('attempt.ended').find(({ taskId }) => taskId === gone);
    expect(ended?.data).toMatchObject({ step: 'work', n: 1, outcome: 'stopped' });
    expect((await project.docket('explain', 'gone')).out).not.toContain('at work');
    expect(project.leftovers()).toEqual([]);
  });
});

describe('agents that a dead docket left at work', { timeout: 60_000 }, () => {
  it('are ended when their task was canceled meanwhile', async () => {
    const project = new ShellProject(waiting);
    project.queue(['gone'], true);
    await project.killedWhen('began-gone');
    await cancel(project, 'gone');
    expect(project.leftovers()).not.toEqual([]);
    expect((await project.docket('run')).code).toBe(0);
    expect(project.leftovers()).toEqual([]);
    expect(await project.statuses()).toEqual({ gone: 'canceled' });
    expect(project.events('attempt.ended').map(({ data }) => data['outcome'])).toEqual(['stopped']);
  });

  it('do not stay in a work tree that another task works in', async () => {
    const project = new ShellProject(`say "began-$name"\n[ "$name" = first ] && await never\n${report()}`);
    project.queue(['first', 'second'], false);
    await project.killedWhen('began-first', 'first');
    expect(project.leftovers()).not.toEqual([]);
    expect((await project.docket('run', 'second')).code).toBe(0);
    expect(project.leftovers()).toEqual([]);
    expect(await project.statuses()).toEqual({ first: 'queued', second: 'done' });
  });

  it('are judged by the tree that they found, not by the one that they made', async () => {
    const project = new ShellProject(
      `git switch --quiet --create elsewhere\nsay switched\nawait go\n${report()}`,
    );
    project.queue(['wanderer'], false);
    await project.killedWhen('switched');
    project.cue('go');
    await until('it has ended', () => project.leftovers().length === 0);
    expect((await project.docket('run')).code).toBe(5);
    expect(project.events('task.blocked')[0]?.data).toMatchObject({ reason: { kind: 'conflict' } });
    expect(project.events('attempt.started')).toHaveLength(1);
  });

  it('may have killed docket themselves', async () => {
    const project = new ShellProject(
      `if [ ! -e "$CUES/killed" ]; then say killed; kill -9 "$(ps -o ppid= -p $PPID)"; fi\n${report()}`,
    );
    project.queue(['assassin', 'next'], false);
    const run = project.start('run');
    await new Promise((resolve) => run.once('exit', resolve));
    expect(run.signalCode).toBe('SIGKILL');
    await until('the agent has ended', () => project.leftovers().length === 0);
    expect((await project.docket('run')).code).toBe(0);
    expect(project.events('attempt.started')).toHaveLength(2);
  });
});
