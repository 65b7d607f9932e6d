import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { QueueProject } from '../../support/queue-project.ts';
import { report } from '../../support/shell-project.ts';
import { inFolder } from '../../surfaces/cli/real-world.ts';

const failing = report({ status: 'failed', summary: 'no' });
const ended = (project: QueueProject) => inFolder(project.root, ['run'], { env: project.env });
const lines = (project: QueueProject, file: string) =>
  project
    .read(file)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: string; task: string; what: string });

describe('debug', () => {
  it('logs what happens in the folder of each run, and only when it is on', async () => {
    const project = new QueueProject(report());
    project.records([{ name: 'one' }]);
    expect((await ended(project)).code).toBe(0);
    const logsOf = (run: string) => path.join('.takt/runs', run, 'logs');
    const runs = fs.readdirSync(path.join(project.root, '.takt/runs'));
    expect(fs.readdirSync(path.join(project.root, logsOf(runs[0] ?? '')))).not.toContain('debug.log');
    project.write('.takt/debug.yaml', 'enabled: true\n');
    project.records([
      { name: 'one', status: 'completed', started_at: 'x', completed_at: 'x' },
      { name: 'two' },
    ]);
    expect((await ended(project)).code).toBe(0);
    const [run = ''] = fs
      .readdirSync(path.join(project.root, '.takt/runs'))
      .filter((name) => !runs.includes(name));
    const told = lines(project, path.join(logsOf(run), 'debug.log'));
    expect(told.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['begins', 'step begins', 'agent', 'step ended', 'ended']),
    );
    expect(new Set(told.map(({ task }) => task))).toEqual(new Set(['two']));
  });

  it('keeps to its level and its file, and follows no link', async () => {
    const project = new QueueProject(`[ "$name" = bad ] && { ${failing}; exit 0; }\n${report()}`);
    project.configure({ debug: { enabled: true, level: 'warn', logFile: 'logs/docket.log' } });
    project.records([{ name: 'good' }, { name: 'bad' }]);
    expect((await ended(project)).code).not.toBe(0);
    const told = lines(project, 'logs/docket.log');
    expect(new Set(told.map(({ task }) => task))).toEqual(new Set(['bad']));
    expect(told.map(({ level }) => level)).not.toContain('info');
    fs.rmSync(path.join(project.root, 'logs/docket.log'));
    fs.symlinkSync(path.join(project.root, 'a.txt'), path.join(project.root, 'logs/docket.log'));
    await inFolder(project.root, ['run', 'bad'], { env: project.env });
    expect(project.read('a.txt')).toBe('one\n');
  });

  it.each(['../out.log', '/tmp/out.log', 'a/../../out.log', 'src/index.ts', '~/x.log'])(
    'takes no file %s',
    async (logFile) => {
      const project = new QueueProject(report());
      project.configure({ debug: { enabled: true, logFile } });
      expect(await ended(project)).toMatchObject({ code: 2, stdout: '' });
    },
  );
});
