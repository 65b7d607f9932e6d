import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { open, type RunProgress } from '../src/index.ts';
import { scratch } from './support/scratch.ts';

const example = fileURLToPath(new URL('../examples/library.mjs', import.meta.url));

/** A repository with one commit whose agent is scripted. */
function project(steps: string) {
  const root = scratch();
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: root });
  git('init', '--quiet', '--initial-branch=main');
  git('commit', '--quiet', '--allow-empty', '-m', 'begin');
  fs.mkdirSync(path.join(root, '.docket'));
  fs.writeFileSync(path.join(root, 'scenario.yaml'), `rules:\n  - steps:\n${steps}`);
  const agents =
    'agents: { actor: { adapter: script, command: [./scenario.yaml], limits: { graceSeconds: 0.2 } } }\ndefaultAgent: actor\n';
  fs.writeFileSync(path.join(root, '.docket/config.yaml'), agents);
  return {
    root,
    env: { PATH: process.env['PATH'] ?? '', HOME: root, DOCKET_STATE: path.join(root, 'state-of-user') },
  };
}

const writes = `      - edit: { path: hello.txt, write: "Hello\\n" }
      - report: { status: success, summary: Wrote a greeting., changes: [hello.txt] }
`;

it('the example queues a task, follows it and explains how it ended', () => {
  const { root, env } = project(writes);
  const ran = spawnSync(process.execPath, [example, root, 'Greet the world'], { env, encoding: 'utf8' });
  expect([ran.status, ran.stderr]).toEqual([0, '']);
  const lines = ran.stdout.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^added \S+: Greet the world$/);
  expect(lines).toContain('add hello.txt');
  expect(ran.stdout).toMatch(/\S+ is done: /);
  expect(lines.at(-1)).toBe('all tasks: 1');
});

it('the example tells an error with its code and its fix', () => {
  const { root, env } = project(writes);
  fs.appendFileSync(path.join(root, '.docket/config.yaml'), 'concurency: 2\n');
  const ran = spawnSync(process.execPath, [example, root], { env, encoding: 'utf8' });
  expect(ran.status).toBe(2);
  expect(ran.stderr).toMatch(/^INVALID: .*concurency.*\nfix: did you mean "concurrency"/);
});

describe('open', () => {
  it('makes nothing before something is asked for', async () => {
    const { root, env } = project(writes);
    const before = fs.readdirSync(root, { recursive: true }).length;
    const docket = await open({ root, env });
    expect([docket.root, await docket.list()]).toEqual([root, []]);
    expect(fs.readdirSync(root, { recursive: true })).toHaveLength(before);
    await expect(docket.show('nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { id } = await docket.add('Greet');
    expect(await docket.show(id)).toMatchObject({
      kind: 'queue',
      details: { task: { id, status: 'queued' } },
    });
    await docket.close();
  });

  it('tells what happens in a run, and ends it when it is told to', async () => {
    const { root, env } = project('      - say: At work.\n      - wait: 600\n');
    const docket = await open({ root, env });
    const { id } = await docket.add({ text: 'Wait for ever', worktree: true });
    const stop = new AbortController();
    const kinds: RunProgress['kind'][] = [];
    const ran = await docket.run({
      signal: stop.signal,
      onProgress: (progress) => {
        kinds.push(progress.kind);
        if (progress.kind === 'event' && progress.event.type === 'text') stop.abort();
      },
    });
    expect(kinds).toEqual(expect.arrayContaining(['started', 'step', 'event']));
    expect(ran.map(({ task }) => task.status)).toEqual(['queued']);
    expect((await docket.list({ status: ['queued'] })).map((task) => task.id)).toEqual([id]);
    await docket.close();
  });

  it('tells a record that cannot be read, and hands the others over', async () => {
    const { root, env } = project(writes);
    const first = await open({ root, env });
    await first.add('One that is well');
    await first.close();
    fs.appendFileSync(path.join(root, '.takt/tasks.yaml'), '  - name: broken\n    status: nonsense\n');
    const told: string[] = [];
    const docket = await open({ root, env, warn: (text) => told.push(text) });
    expect(await docket.list()).toHaveLength(1);
    expect(told.join('\n')).toContain('tasks.yaml');
    await docket.close();
  });
});
