import { describe, expect, it } from 'vitest';
import { BoardProject, report } from '../../support/board-project.ts';
import { PacketProject } from '../../support/packet-project.ts';
import { add, openStore, scratch } from '../../support/scratch.ts';
import { actions, subtask, TaskProject } from '../../support/task-project.ts';
import { answerIn, inFolder } from '../../surfaces/cli/real-world.ts';

describe('docket show, logs and explain', () => {
  it('know a task of the board, and what they name next is taken', async () => {
    const at = new BoardProject(report({ status: 'blocked', summary: 'no key\u001B[2J' }));
    await at.say('create task: build');
    await at.hear('run T-001', { mode: 'spawn' });
    const { code, stdout } = await inFolder(at.root, ['show', 'T-001']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^id: T-001\ntitle: build\nstatus: blocked\nwhy: no key/);
    expect(stdout).not.toContain('\u001B');
    expect(stdout).toMatch(/\n {2}work-1 +\w+ +sh /);
    expect(await answerIn(at.root, ['show', 'T-001'])).toMatchObject({
      v: 1,
      ok: true,
      kind: 'board',
      id: 'T-001',
      status: 'blocked',
      steps: [{ step: 'work-1' }],
      record: { blockedReason: expect.stringContaining('no key') as string },
    });
    const logs = await inFolder(at.root, ['logs', 'T-001', '--json']);
    expect(JSON.parse(logs.stdout.split('\n')[0] ?? '')).toMatchObject({
      layout: 'board',
      task: 'T-001',
      step: 'work-1',
    });
    const next = (await answerIn(at.root, ['explain', 'T-001']))['next'] as { command: string }[];
    expect(next.at(-1)?.command).toBe("docket say 'unblock T-001'");
    expect(await inFolder(at.root, ['say', 'unblock T-001'])).toMatchObject({ code: 0 });
  });

  it('know a task directory, with the attempts that were put away', async () => {
    const project = await TaskProject.created();
    await project.run(actions(subtask('first'), subtask('odd', 'blocked')));
    const { root, id } = project;
    const shown = await answerIn(root, ['show', id]);
    const own = await answerIn(root, ['task', 'show', id]);
    expect(shown).toEqual({ ...own, kind: 'task', about: expect.objectContaining({ ref: `task:${id}` }) });
    const gate = (shown['steps'] as { state: string }[]).some(({ state }) => state === 'blocked');
    expect(gate).toBe(true);
    const next = (await answerIn(root, ['explain', id]))['next'] as { command: string }[];
    const [, ...words] = (next[0]?.command ?? '').split(' ');
    expect(words.slice(0, 2)).toEqual(['gate', 'approve']);
    expect(await inFolder(root, words)).toMatchObject({ code: 0 });
    await project.resume();
    const said = (await inFolder(root, ['logs', id, '--json'])).stdout.trim().split('\n');
    const steps = said.map((line) => JSON.parse(line) as { step: string; attempt: number });
    expect(new Set(steps.map(({ step, attempt }) => `${step} ${attempt}`))).toEqual(
      new Set(['first 1', 'odd 1', 'odd 2']),
    );
  });

  it('know a packet, also one that was put away', async () => {
    const project = await PacketProject.with('review_only');
    const { status } = await project.run();
    const { root, id } = project;
    const own = await answerIn(root, ['packet', 'status', id]);
    expect(await answerIn(root, ['show', id])).toEqual({
      ...own,
      kind: 'packet',
      about: expect.objectContaining({ ref: `packet:${id}` }),
    });
    const said = (await inFolder(root, ['logs', id, '--step', 'gemini_review'])).stdout;
    expect(said).toContain('Findings');
    const packets = await project.packets();
    await packets.archive([id], { dryRun: false });
    expect(await answerIn(root, ['show', id])).toMatchObject({ kind: 'packet', status, archived: true });
    expect((await inFolder(root, ['logs', id, '--step', 'gemini_review'])).stdout).toBe(said);
    expect((await answerIn(root, ['explain', id]))['next']).toMatchObject([
      { command: `docket packet status ${id}` },
      { command: `docket logs ${id}` },
    ]);
  });

  it('say where they looked, what is near, and which of two is meant', async () => {
    const at = new BoardProject();
    await at.say('create task: build');
    const store = await openStore(at.root);
    await add(store, 'fix-login');
    await add(store, 'T-001');
    const missed = await answerIn(at.root, ['show', 'fix-logn']);
    expect(missed).toMatchObject({
      ok: false,
      error: { code: 'NOT_FOUND', data: { ref: 'fix-logn', nearest: ['fix-login'] } },
    });
    const { message, fix } = missed['error'] as { message: string; fix: string };
    for (const place of ['.takt/tasks.yaml', '.agentmesh/tasks', '.tmp/task', 'state/tasks.jsonl'])
      expect(message).toContain(place);
    expect(fix).toMatch(/^did you mean "fix-login"\?/);
    for (const command of ['show', 'logs', 'explain']) {
      const both = await inFolder(at.root, [command, 'T-001']);
      expect(both.code).toBe(2);
      expect(both.stderr).toContain('queue:T-001, board:T-001');
      expect((await inFolder(at.root, [command, 'T-001', '--of', 'board'])).code).toBe(0);
    }
  });

  it('find nothing in an empty folder, and leave it empty', async () => {
    const root = scratch();
    for (const command of ['show', 'logs', 'explain'])
      expect(await inFolder(root, [command, 'nobody'])).toMatchObject({ code: 3, stdout: '' });
  });
});
