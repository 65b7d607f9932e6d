import { describe, expect, it } from 'vitest';
import { bin, start } from '../support/child.ts';
import { BriefProject, exitOf, pause } from '../support/kill-rounds.ts';

const rounds = Number(process.env['DOCKET_KILL_ROUNDS'] ?? 6);
const named = (count: number) => Array.from({ length: count }, (_, index) => `job-${index}`);
const parallel = ['run', '--parallel', '6'];

/** Runs until nothing is left to do: what was put back may need another run. */
async function finish(project: BriefProject): Promise<void> {
  for (let tries = 0; tries < 10; tries += 1) {
    const code = await exitOf(project.start(...parallel));
    const { tasks } = await project.json('list');
    if (code === 0 && tasks.length > 0 && tasks.every(({ status }) => status === 'done')) return;
  }
}

async function killed(project: BriefProject, ms: number): Promise<void> {
  const run = project.start(...parallel);
  const exit = exitOf(run);
  await Promise.race([pause(ms), exit]);
  run.kill('SIGKILL');
  await exit;
}

describe('docket killed again and again', { timeout: 60_000 + rounds * 5_000 }, () => {
  it('brings each task to its end, once, and starts each attempt once', async () => {
    const names = named(2 * rounds);
    const project = new BriefProject(0.4);
    project.queue(names, true);
    for (let round = 0; round < rounds; round += 1) await killed(project, round * Math.random() * 150);
    await finish(project);
    expect(await project.problems(names, { killed: false })).toEqual([]);
  });

  it('also when the agents die with it', async () => {
    const names = named(rounds);
    const project = new BriefProject(0.4);
    project.queue(names, true);
    for (let round = 0; round < rounds; round += 1) {
      await killed(project, 200 + Math.random() * 600);
      if (round % 2 === 0) project.endAgents();
    }
    await finish(project);
    expect(await project.problems(names, { killed: true })).toEqual([]);
  });
});

describe(
  'docket killed at its disk calls, one after the other',
  { timeout: 60_000 + rounds * 30_000 },
  () => {
    it('brings each task to its end, once', async () => {
      const names = named(3 * rounds);
      const project = new BriefProject(0);
      project.queue(names, true);
      const env = { PATH: process.env['PATH'], HOME: project.home };
      let died = 0;
      for (let round = 0; round < 2 * rounds; round += 1) {
        const at = String(1 + Math.floor(Math.random() * 60));
        const args = [
          bin('crash-run.mjs'),
          at,
          round % 2 === 0 ? 'before' : 'after',
          'run',
          '--parallel',
          '2',
        ];
        const run = start(process.execPath, args, {
          cwd: project.root,
          env,
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        await exitOf(run);
        if (run.signalCode === 'SIGKILL') died += 1;
      }
      expect(died).toBeGreaterThan(rounds / 2);
      await finish(project);
      expect(await project.problems(names, { killed: false })).toEqual([]);
    });
  },
);

describe('several dockets on one queue', { timeout: 60_000 }, () => {
  it('share the work, with one suspended and one killed', async () => {
    const names = named(10);
    const project = new BriefProject(0.2);
    project.queue(names, true);
    const runs = Array.from({ length: 5 }, () => project.start('run', '--parallel', '2'));
    const exits = runs.map(exitOf);
    await pause(Math.random() * 800);
    runs[0]?.kill('SIGSTOP');
    runs[1]?.kill('SIGKILL');
    await pause(700);
    runs[0]?.kill('SIGCONT');
    const codes = await Promise.all(exits);
    expect(codes.filter((code) => code !== 0 && code !== null)).toEqual([]);
    await finish(project);
    expect(await project.problems(names, { killed: false })).toEqual([]);
  });

  it('work in one tree one after the other', async () => {
    const names = named(4);
    const project = new BriefProject(0.2);
    project.queue(names, false);
    const runs = [1, 2, 3].map(() => exitOf(project.start('run', '--parallel', '3')));
    expect(await Promise.all(runs)).toEqual([0, 0, 0]);
    await finish(project);
    expect(await project.problems(names, { killed: false })).toEqual([]);
    const steps = project.diary().map(({ what }) => what);
    expect(steps).toEqual(names.flatMap(() => ['began', 'ended']));
  });
});
