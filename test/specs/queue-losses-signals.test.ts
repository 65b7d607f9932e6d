import type { ChildProcess } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { start } from '../support/child.ts';
import { exitOf } from '../support/kill-rounds.ts';
import { until } from '../support/project.ts';
import { QueueProject } from '../support/queue-project.ts';
import { report } from '../support/shell-project.ts';

const names = ['one', 'two', 'three'];
/** Works until it is told. */
const patient = `say "$name-began"\nawait go\n${report()}`;

function busy(): QueueProject {
  const project = new QueueProject(patient, { limits: { graceSeconds: 1 } });
  project.records(names.map((name) => ({ name, worktree: true })));
  return project;
}

describe('docket told to end', { timeout: 60_000 }, () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s: what runs is pending again, and the next run ends it',
    async (signal) => {
      const project = busy();
      const run = project.start('run', '--concurrency', '2');
      const exit = exitOf(run);
      await project.said('one-began');
      await project.said('two-began');
      run.kill(signal);
      expect(await exit).toBe(130);
      expect(project.statusByName()).toEqual({ one: 'pending', two: 'pending', three: 'pending' });
      expect(project.rawRecords().filter(({ owner_pid: pid }) => typeof pid === 'number')).toEqual([]);
      expect(project.leftovers()).toEqual([]);
      expect(project.has('three-began')).toBe(false);
      project.cue('go');
      expect((await project.docket('run')).code).toBe(0);
      expect(project.statusByName()).toEqual({ one: 'completed', two: 'completed', three: 'completed' });
      expect(project.events('task.done')).toHaveLength(3);
    },
  );

  it.each(['SIGINT', 'SIGTERM'] as const)('%s while it watches', async (signal) => {
    const project = busy();
    const watch = project.start('watch');
    const exit = exitOf(watch);
    await project.said('one-began');
    watch.kill(signal);
    expect(await exit).toBe(130);
    expect(project.statusByName()).toEqual({ one: 'pending', two: 'pending', three: 'pending' });
    expect(project.leftovers()).toEqual([]);
  });

  it('twice: it leaves at once, the work is found by the next run and ends once', async () => {
    const project = new QueueProject(`trap '' TERM INT HUP\n${patient}`, { limits: { graceSeconds: 60 } });
    project.records(names.map((name) => ({ name })));
    const run = project.start('run');
    const exit = exitOf(run);
    let said = '';
    run.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
    await project.said('one-began');
    run.kill('SIGINT');
    await until('it says that it stops', () => said.includes('stopping'));
    run.kill('SIGINT');
    expect(await exit).toBe(130);
    // Nothing says "running" to those who look, and nobody else is started meanwhile.
    expect(Object.values(await project.statuses())).toEqual(['queued', 'queued', 'queued']);
    project.cue('go');
    expect((await project.docket('run')).code).toBe(0);
    expect(project.begun()).toEqual(names);
    expect(project.leftovers()).toEqual([]);
  });
});

describe('a record that says running', { timeout: 60_000 }, () => {
  it.each([
    ['a live process that has it since', () => sleeping().pid ?? 0],
    ['a dead process', () => 4_000_000],
    ['nobody', () => null],
  ])('with the pid of %s, written by another tool: it is taken up', async (_who, pid) => {
    const project = new QueueProject(report());
    project.records([
      { name: 'stuck', status: 'running', started_at: '2026-03-01T09:00:00Z', owner_pid: pid() },
      { name: 'next' },
    ]);
    expect((await project.docket('run')).code).toBe(0);
    expect(project.begun().toSorted()).toEqual(['next', 'stuck']);
    expect(project.statusByName()).toEqual({ stuck: 'completed', next: 'completed' });
  });

  it('with the pid of a process that may be at work on it: it is left alone until that ends', async () => {
    const project = new QueueProject(report());
    const other = sleeping();
    const started = new Date(Date.now() + 60_000).toISOString();
    project.records([
      { name: 'theirs', status: 'running', started_at: started, owner_pid: other.pid ?? 0 },
      { name: 'next', worktree: true },
    ]);
    expect((await project.docket('run')).code).toBe(0);
    expect(project.begun()).toEqual(['next']);
    expect(project.statusByName()).toEqual({ theirs: 'running', next: 'completed' });
    const end = exitOf(other);
    other.kill('SIGKILL');
    await end;
    expect((await project.docket('run')).code).toBe(0);
    expect(project.statusByName()).toEqual({ theirs: 'completed', next: 'completed' });
  });

  it('of a docket that died is taken up by another that runs', async () => {
    const project = new QueueProject(
      `say "$name-began-$DOCKET_ATTEMPT"\n[ "$name" = keeps ] && await go\n[ "$DOCKET_ATTEMPT" = 1 ] && [ "$name" = dies ] && await never\n${report()}`,
    );
    project.records([
      { name: 'dies', worktree: true },
      { name: 'keeps', worktree: true },
    ]);
    const first = project.start('run', 'dies');
    await project.said('dies-began-1');
    const second = exitOf(project.start('run', '--concurrency', '2'));
    await project.said('keeps-began-1');
    const gone = exitOf(first);
    first.kill('SIGKILL');
    await gone;
    project.endAgentsOf(await project.idOf('dies'));
    await project.said('dies-began-2');
    project.cue('go');
    expect(await second).toBe(0);
    expect(project.statusByName()).toEqual({ dies: 'completed', keeps: 'completed' });
  });
});

function sleeping(): ChildProcess {
  return start('sleep', ['600'], { stdio: 'ignore' });
}
