import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolderOf } from '../../src/io/process/temp-folder.ts';
import { BriefProject, exitOf, pause } from '../support/kill-rounds.ts';
import { until } from '../support/project.ts';
import { ShellProject } from '../support/shell-project.ts';

const rounds = Number(process.env['DOCKET_KILL_ROUNDS'] ?? 5);
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const names = ['one', 'two', 'three'];

describe('docket told to stop', { timeout: 60_000 + rounds * 10_000 }, () => {
  it('puts everything back, at whatever moment', async () => {
    const project = new BriefProject(60, { limits: { graceSeconds: 1 } });
    project.queue(names, true);
    for (let round = 0; round < rounds; round += 1) {
      const run = project.start('run', '--parallel', '3');
      const exit = exitOf(run);
      await pause(150 + Math.random() * 900);
      run.kill(signals[round % signals.length]);
      expect([130, null]).toContain(await exit); // null: it came before docket listened
      const { tasks } = await project.json('list');
      expect(tasks.map(({ title, status }) => `${title} ${status}`)).toEqual(
        tasks.map(({ title }) => `${title} queued`),
      );
      expect(project.leftovers()).toEqual([]);
      expect(project.marks().filter((mark) => fs.existsSync(tempFolderOf(mark)))).toEqual([]);
    }
  });

  it('leaves at once when it is told twice, and the next run takes up what is left', async () => {
    const project = new BriefProject(60, { limits: { graceSeconds: 30 } });
    const stubborn = path.join(project.cues, 'stubborn.sh');
    fs.writeFileSync(
      stubborn,
      `#!/bin/sh\ntrap '' TERM INT HUP\necho $$ >> ${project.cues}/pids\nwhile [ ! -e ${project.cues}/go ]; do sleep 0.05; done\necho done\n`,
      { mode: 0o755 },
    );
    project.write(
      '.docket/config.yaml',
      JSON.stringify({
        agents: { it: { adapter: 'command', command: [stubborn], limits: { graceSeconds: 30 } } },
        defaultAgent: 'it',
      }),
    );
    project.queue(['one'], false);
    const pids = () => {
      const file = path.join(project.cues, 'pids');
      return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trimEnd().split('\n').length : 0;
    };
    const run = project.start('run');
    let said = '';
    run.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
    const exit = exitOf(run);
    await until('its agent at work', () => pids() === 1);
    run.kill('SIGINT');
    await until('it says that it stops', () => said.includes('stopping'));
    run.kill('SIGINT');
    expect(await exit).toBe(130);
    fs.writeFileSync(path.join(project.cues, 'go'), '');
    expect((await project.docket('run')).code).toBe(0);
    expect(pids()).toBe(1);
    expect(project.leftovers()).toEqual([]);
  });

  it('ends also what it has just found at work', async () => {
    const project = new ShellProject(`say began\nawait never`, { limits: { graceSeconds: 1 } });
    project.queue(['one'], false);
    await project.killedWhen('began');
    expect(project.leftovers()).not.toEqual([]);
    const run = project.start('run');
    const exit = exitOf(run);
    let said = '';
    run.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
    await until('it is taken up', () => said.includes('work: sh'));
    run.kill('SIGTERM');
    expect(await exit).toBe(130);
    expect(project.leftovers()).toEqual([]);
    expect(project.events('attempt.started')).toHaveLength(1);
    expect(await project.statuses()).toEqual({ one: 'queued' });
  });

  it('tells all the same what was changed meanwhile that is not for an agent to change', async () => {
    const project = new ShellProject(`echo >> ../../../config.yaml\nsay changed\nawait never`, {
      limits: { graceSeconds: 1 },
    });
    project.queue(['one'], true);
    const run = project.start('run');
    const exit = exitOf(run);
    await project.said('changed');
    run.kill('SIGTERM');
    expect(await exit).toBe(130);
    expect(await project.statuses()).toEqual({ one: 'blocked' });
    const { out } = await project.docket('explain', await project.idOf('one'));
    expect(out).toContain('changed in your own tree while step work was at work: .docket/config.yaml');
  });
});
