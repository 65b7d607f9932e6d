import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bin } from '../support/child.ts';
import { endProcess, Project, until } from '../support/project.ts';
import { scratch } from '../support/scratch.ts';

const names = Array.from({ length: 10 }, (_, index) => `job-${index}`);

function patient(cues: string): Project {
  return new Project({
    agents: { patient: { adapter: 'command', command: [bin('patient-agent.sh')], env: { CUES: cues } } },
    defaultAgent: 'patient',
  });
}

const began = (cues: string): string[] => {
  const file = path.join(cues, 'began');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trimEnd().split('\n') : [];
};
const cue = (cues: string, name: string) => fs.writeFileSync(path.join(cues, name), '');

describe('docket killed while ten agents work', () => {
  it('takes up what ended and what still runs, and starts none twice', { timeout: 120_000 }, async () => {
    const cues = scratch();
    const project = patient(cues);
    project.queue(names, true);
    const first = project.start('run', '--parallel', '10');
    await until('ten agents at work', () => began(cues).length === 10);
    first.kill('SIGKILL');
    await new Promise((resolve) => first.once('exit', resolve));

    const attempts = path.join(project.root, '.docket/queue/attempts');
    const ended = () =>
      fs.readdirSync(attempts).filter((id) => fs.existsSync(path.join(attempts, id, 'work/1/exit.json')));
    for (const name of names.slice(0, 5)) cue(cues, name);
    await until('five of them ended, with nobody there', () => ended().length === 5);

    const second = project.start('run', '--parallel', '10');
    await until('the ended ones are adopted', () => project.events('task.done').length === 5);
    for (const name of names.slice(5)) cue(cues, name);
    const code = await new Promise((resolve) => second.once('exit', resolve));

    expect(code).toBe(0);
    expect(began(cues)).toHaveLength(10);
    const { tasks } = await project.json('list');
    expect(tasks.map(({ status }) => status)).toEqual(names.map(() => 'done'));
    expect(tasks.map(({ attempts }) => attempts?.work?.n)).toEqual(names.map(() => 1));
    expect(project.events('attempt.started')).toHaveLength(10);
    expect(project.events('attempt.ended').map(({ data }) => data['outcome'])).toEqual(names.map(() => 'ok'));
    expect(project.leftovers()).toEqual([]);
  });

  it('starts again what died with it, once', { timeout: 120_000 }, async () => {
    const cues = scratch();
    const project = patient(cues);
    project.queue(names.slice(0, 3), true);
    const first = project.start('run', '--parallel', '3');
    await until('three agents at work', () => began(cues).length === 3);
    first.kill('SIGKILL');
    await until('all of them dead', () => {
      const alive = project.leftovers();
      for (const pid of alive) endProcess(pid);
      return alive.length === 0;
    });

    for (const name of names) cue(cues, name);
    const { code } = await project.docket('run', '--parallel', '3');
    expect(code).toBe(0);
    expect(began(cues)).toHaveLength(6);
    expect(
      project
        .events('attempt.ended')
        .map(({ data }) => String(data['outcome']))
        .toSorted((a, b) => (a < b ? -1 : 1)),
    ).toEqual(['failed', 'failed', 'failed', 'ok', 'ok', 'ok']);
  });
});

describe('an interrupted run', () => {
  it('ends its agents and puts their work back', { timeout: 60_000 }, async () => {
    const cues = scratch();
    const project = patient(cues);
    project.queue(['job-0'], false);
    const run = project.start('run');
    await until('an agent at work', () => began(cues).length === 1);
    run.kill('SIGINT');
    expect(await new Promise((resolve) => run.once('exit', resolve))).toBe(130);
    expect(project.leftovers()).toEqual([]);
    const { tasks } = await project.json('list');
    expect(tasks[0]).toMatchObject({
      status: 'queued',
      attempts: { work: { n: 1, end: { outcome: 'stopped' } } },
    });
    expect(project.read('.takt/tasks.yaml')).toContain('status: pending');
  });
});
