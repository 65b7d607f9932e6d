import { expect, it } from 'vitest';
import { systemClock } from '../../src/io/clock.ts';
import type { PsEntry } from '../../src/project/ps/api.ts';
import { makeProcesses } from '../../src/project/ps/processes.ts';
import { BoardProject, report } from '../support/board-project.ts';
import { PacketProject } from '../support/packet-project.ts';
import { until } from '../support/project.ts';
import { actions, subtask, TaskProject } from '../support/task-project.ts';

const shown = (root: string): Promise<PsEntry[]> =>
  makeProcesses({ root, env: process.env, clock: systemClock, warn: () => undefined }).list();

it('a worker of a task directory', async () => {
  const project = await TaskProject.created();
  const run = project.run(actions(subtask('builder', 'wait:go')));
  await project.codex.started(1);
  const [entry, ...more] = await shown(project.root);
  expect(more).toEqual([]);
  expect(entry).toMatchObject({ state: 'running', layout: 'task', task: project.id, attempt: 1 });
  expect(entry?.agent).toContain('codex');
  expect(entry?.pids.length).toBeGreaterThanOrEqual(2);
  expect(entry?.rssBytes).toBeGreaterThan(1_000_000);
  project.codex.cue('go');
  await run;
  expect(await shown(project.root)).toEqual([]);
});

it('a stage of a packet', async () => {
  const project = await PacketProject.with('safe_impl', { codex_impl: [{ hang: true }] });
  const over = new AbortController();
  const run = project.run({ signal: over.signal });
  const calls = () => project.calls().some(({ tool }) => tool === 'codex');
  await until('its agent is called', calls);
  expect(await shown(project.root)).toMatchObject([
    { state: 'running', layout: 'packet', task: project.id, agent: 'codex' },
  ]);
  over.abort('shutdown');
  await run;
  expect(await shown(project.root)).toEqual([]);
});

it('a worker of the board', async () => {
  const project = new BoardProject(`say began\nawait go\n${report()}`);
  await project.say('create task: Build it');
  const run = project.hear('run T-001', { mode: 'spawn' });
  await project.said('began');
  expect(await shown(project.root)).toMatchObject([
    { state: 'running', layout: 'board', task: 'T-001', agent: 'sh' },
  ]);
  project.tell('go');
  await run;
  expect(await shown(project.root)).toEqual([]);
});
