import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { processRow } from '../../src/io/process/table.ts';
import type { EndedStray, PsEntry } from '../../src/project/ps/api.ts';
import { bin, ended, start } from '../support/child.ts';
import { exitOf, pause } from '../support/kill-rounds.ts';
import { endProcess, until } from '../support/project.ts';
import { treeOf } from '../support/scratch.ts';
import { report, ShellProject } from '../support/shell-project.ts';

/** Its agent starts a server that clears its environment, is orphaned and leaves the group, then does what is said. */
class ServerProject extends ShellProject {
  constructor(then: string) {
    const hide = `${bin('process/hidden.sh')} "$CUES/server-$DOCKET_ATTEMPT"`;
    super(`${hide}\nsay up\n${then}`, { limits: { graceSeconds: 0.5 } });
    this.queue(['one'], true);
  }

  server(attempt = 1): { pid: number; port: number } {
    const text = fs.readFileSync(path.join(this.cues, `server-${attempt}`), 'utf8');
    const [pid = 0, port = 0] = text.split(' ').map(Number);
    return { pid, port };
  }

  /** Nothing of it is left, and nobody listens. */
  async isGone(attempt = 1): Promise<boolean> {
    const { pid, port } = this.server(attempt);
    return processRow(pid) === undefined && this.leftovers().length === 0 && !(await listens(port));
  }

  async ps(): Promise<PsEntry[]> {
    const { out } = await this.docket('ps', '--json');
    return (JSON.parse(out) as { processes: PsEntry[] }).processes;
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
  });
}

const linux = process.platform === 'linux';

describe.runIf(linux)('a hidden server of an agent is gone', { timeout: 60_000 }, () => {
  it('when the agent has finished', async () => {
    const project = new ServerProject(report());
    expect((await project.docket('run')).code).toBe(0);
    expect(await project.isGone()).toBe(true);
  });

  it('when docket was told to stop', async () => {
    const project = new ServerProject('await never');
    const run = project.start('run');
    const exit = exitOf(run);
    await project.said('up');
    expect(await listens(project.server().port)).toBe(true);
    run.kill('SIGINT');
    expect(await exit).toBe(130);
    expect(await project.isGone()).toBe(true);
  });

  it('after a crash, when the next run has taken up its agent', async () => {
    const project = new ServerProject(`await go\n${report()}`);
    await project.killedWhen('up');
    expect(await listens(project.server().port)).toBe(true);
    project.cue('go');
    expect((await project.docket('run')).code).toBe(0);
    expect(await project.isGone()).toBe(true);
    expect(project.events('attempt.started')).toHaveLength(1);
  });

  it('after a crash of docket, and of its supervisor and agent, when the task is given up', async () => {
    const project = new ServerProject('await never');
    await project.killedWhen('up');
    const { pid } = project.server();
    for (const other of project.leftovers()) if (other !== pid) endProcess(other);
    await until('only the server is left', () => project.leftovers().join() === String(pid));
    expect((await project.docket('cancel', await project.idOf('one'))).code).toBe(0);
    expect(await project.isGone()).toBe(true);
  });
});

describe('docket ps', { timeout: 60_000 }, () => {
  it.runIf(linux)('shows what runs, what was left, and ends only that', async () => {
    const project = new ServerProject('await never');
    const run = project.start('run');
    await project.said('up');
    const { pid, port } = project.server();
    const id = await project.idOf('one');
    const [entry, ...others] = await project.ps();
    expect(others).toEqual([]);
    const about = {
      task: id,
      name: 'one',
      step: 'work',
      attempt: 1,
      agent: 'sh',
      layout: 'queue',
      ports: [port],
    };
    expect(entry).toMatchObject({ ...about, state: 'running' });
    expect(entry?.pids).toContain(pid);
    expect((await project.docket('ps', '--end-strays', '--json')).out).toContain('"processes":[]');

    run.kill('SIGKILL');
    await new Promise((resolve) => run.once('exit', resolve));
    const goOn = 'docket run one';
    const before = treeOf(path.join(project.root, '.docket'));
    expect(await project.ps()).toMatchObject([
      { ...about, state: 'stray', goOn, end: 'docket ps --end-strays' },
    ]);
    const dry = await project.docket('ps', '--end-strays', '--dry-run', '--json');
    expect(JSON.parse(dry.out)).toMatchObject({ dryRun: true, processes: [{ ended: false }] });
    expect(treeOf(path.join(project.root, '.docket'))).toEqual(before);
    expect(processRow(pid)).toBeDefined();
    const done = await project.docket('ps', '--end-strays', '--json');
    const { processes } = JSON.parse(done.out) as { processes: EndedStray[] };
    expect([done.code, processes.map(({ ended }) => ended)]).toEqual([0, [true]]);
    expect(await project.isGone()).toBe(true);
    expect(await project.ps()).toEqual([]);
  });

  it.runIf(linux)('finds what has lost its supervisor and its environment', async () => {
    const project = new ServerProject('await never');
    await project.killedWhen('up');
    const { pid, port } = project.server();
    for (const other of project.leftovers()) if (other !== pid) endProcess(other);
    await until('only the server is left', () => project.leftovers().join() === String(pid));
    expect(await project.ps()).toMatchObject([{ state: 'stray', pid, pids: [pid], ports: [port] }]);
    expect((await project.docket('ps', '--end-strays')).code).toBe(0);
    expect(await project.isGone()).toBe(true);
  });

  it.runIf(linux)('leaves alone what nobody knows, and what belongs to another root', async () => {
    const [project, other] = [new ServerProject('await never'), new ServerProject('await never')];
    const clone = path.join(project.root, '.docket/queue/clones/one');
    fs.mkdirSync(clone, { recursive: true });
    const file = path.join(project.cues, 'server-1');
    await ended(start(bin('process/hidden.sh'), [file], { cwd: clone }));
    const { pid, port } = project.server();
    try {
      await other.killedWhen('up');
      expect(await project.ps()).toMatchObject([
        { state: 'suspect', agent: 'node', pid, ports: [port], end: `kill ${pid}` },
      ]);
      expect((await project.docket('ps', '--end-strays')).code).toBe(0);
      expect([processRow(pid)?.pid, other.leftovers().length > 0]).toEqual([pid, true]);
      const shown = await project.docket('ps');
      expect(shown.out).toMatch(new RegExp(`^${pid} +suspect +- +- +node .*listens on ${port}`));
    } finally {
      endProcess(pid);
    }
  });
});

describe('a docket that was suspended', { timeout: 60_000 }, () => {
  it('keeps its task: another runs nothing twice, and it goes on where it was', async () => {
    const project = new ShellProject(`say "began-$name"\n[ "$name" = other ] || await go\n${report()}`);
    project.queue(['mine', 'other'], true);
    const run = project.start('run', 'mine');
    const exit = exitOf(run);
    await project.said('began-mine');
    expect(await ranBeside(run, project)).toBe(0);
    expect(await project.statuses()).toEqual({ mine: 'running', other: 'done' });
    const { out } = await project.docket('ps', '--json');
    expect((JSON.parse(out) as { processes: PsEntry[] }).processes).toMatchObject([{ state: 'running' }]);
    run.kill('SIGCONT');
    project.cue('go');
    expect(await exit).toBe(0);
    expect(await project.statuses()).toEqual({ mine: 'done', other: 'done' });
    expect(project.events('attempt.started')).toHaveLength(2);
    expect(project.leftovers()).toEqual([]);
  });
});

/** Another docket's run while this one is suspended. Suspended in the middle of a write it keeps the store's lock: once more. */
async function ranBeside(
  run: ReturnType<ShellProject['start']>,
  project: ShellProject,
): Promise<number | null> {
  for (;;) {
    run.kill('SIGSTOP');
    const { code } = await project.docket('run');
    if (code !== 75) return code;
    run.kill('SIGCONT');
    await pause(300);
  }
}
