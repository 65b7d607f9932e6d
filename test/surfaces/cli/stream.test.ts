import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { BoardProject } from '../../support/board-project.ts';
import { PacketProject } from '../../support/packet-project.ts';
import { faultsOf } from '../../support/published-schema.ts';
import { report, ShellProject } from '../../support/shell-project.ts';
import { actions, subtask, TaskProject } from '../../support/task-project.ts';
import { inFolder } from './real-world.ts';

const docket = fileURLToPath(new URL('../../../bin/docket', import.meta.url));

describe('docket run --json', () => {
  it('is one value, and with --stream a line for all that happens before it', async () => {
    const project = new ShellProject(report());
    project.queue(['a', 'b'], false);
    const one = await inFolder(project.root, ['run', 'a', '--json']);
    expect(one.code).toBe(0);
    expect(one.stdout.trimEnd().split('\n')).toHaveLength(1);
    const { code, stdout } = await inFolder(project.root, ['run', '--json', '--stream']);
    expect(code).toBe(0);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const answer = lines.pop();
    expect(answer).toMatchObject({ v: 1, ok: true, tasks: [{ name: 'b', status: 'done' }] });
    for (const line of lines)
      expect(line).toMatchObject({ layout: 'queue', name: 'b', at: expect.any(String) as string });
    expect([...new Set(lines.map(({ kind }) => kind))]).toEqual([
      'started',
      'step',
      'event',
      'stepped',
      'ended',
    ]);
    expect(lines.at(-1)).toMatchObject({ kind: 'ended', status: 'done' });
  });

  it('has no stream without --json', async () => {
    const project = new ShellProject('true');
    const { code, stderr } = await inFolder(project.root, ['run', '--stream']);
    expect(code).toBe(2);
    expect(stderr).toContain('--stream is about --json');
  });
});

/** All lines of a stream, each as its published schema has it; the answer is the last one. */
async function linesOf(root: string, argv: readonly string[]) {
  const { stdout } = await inFolder(root, [...argv, '--json', '--stream']);
  return toldIn(stdout, argv);
}

function toldIn(stdout: string, argv: readonly string[]) {
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const schema = `cli/${argv.slice(0, 2).join('-')}`;
  for (const line of lines) expect(faultsOf(schema, line)).toEqual([]);
  return { answer: lines.pop(), lines, kinds: [...new Set(lines.map(({ kind }) => kind))] };
}

const kinds = ['started', 'step', 'event', 'stepped', 'ended'];

describe('--json --stream of the other layouts has the same lines', () => {
  it('docket task run', async () => {
    const project = await TaskProject.created();
    const file = path.join(project.root, 'actions.json');
    fs.writeFileSync(file, actions(subtask('one', 'success', { adapter: 'shell' })));
    const told = await linesOf(project.root, ['task', 'run', project.id, '--actions', file]);
    expect(told).toMatchObject({ answer: { ok: true }, kinds });
    for (const line of told.lines) expect(line).toMatchObject({ layout: 'task', id: project.id });
    expect(told.lines.at(-1)).toMatchObject({ kind: 'ended', status: 'done' });
  });

  it('docket packet run', async () => {
    const project = new PacketProject();
    await project.make('safe_impl');
    const argv = ['packet', 'run', project.id, '--stage', 'gemini_brief'];
    // Its agents stand on the PATH of the project only.
    const { stdout } = spawnSync(process.execPath, [docket, ...argv, '--json', '--stream'], {
      cwd: project.root,
      env: project.env,
      encoding: 'utf8',
    });
    const told = toldIn(stdout, argv);
    expect(told).toMatchObject({ answer: { ok: true }, kinds });
    for (const line of told.lines) expect(line).toMatchObject({ layout: 'packet', id: project.id });
  });

  it('docket board autopilot and docket board dispatch --spawn', async () => {
    const at = new BoardProject();
    await at.say('create task: one');
    await at.say('create task: two');
    const one = await linesOf(at.root, ['board', 'autopilot', '1']);
    expect(one).toMatchObject({ answer: { ok: true }, kinds });
    for (const line of one.lines) expect(line).toMatchObject({ layout: 'board', id: 'T-001' });
    expect(one.lines.at(-1)).toMatchObject({ kind: 'ended', status: 'done' });
    const two = await linesOf(at.root, ['board', 'dispatch', 'T-002', 'coder', '--spawn']);
    expect(two).toMatchObject({ answer: { ok: true }, kinds });
  });
});
