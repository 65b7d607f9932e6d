import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDocket } from '../../../src/project/docket.ts';
import { BoardProject, report } from '../../support/board-project.ts';
import { noSandbox } from '../../support/sandbox.ts';
import { scratch } from '../../support/scratch.ts';

const spawn = { mode: 'spawn' } as const;

/** It is with nobody, and no run takes it: said in the same words as of a new one. */
async function isUnclaimed(at: BoardProject): Promise<void> {
  const docket = await openDocket({ cwd: at.root, root: at.root, env: {} });
  const { waiting } = await (await docket.view()).look();
  expect(waiting.map(({ why }) => why.kind)).toEqual(['claim']);
  const { cause, next } = await docket.explain('T-001');
  expect(cause).toMatchObject({ text: expect.stringMatching(/^nobody has claimed it/), who: 'a person' });
  expect(next.map(({ words }) => words.slice(0, 2).join(' '))).toEqual([
    'board dispatch',
    'add --from',
    'board autopilot',
  ]);
  await docket.close();
}

describe('a worker that docket starts', { timeout: 60_000 }, () => {
  it('does the task with the whole prompt, and the gate says done', async () => {
    const at = new BoardProject();
    await at.hear('create task: build the cart', { as: 'ann' });
    const { outcome, reply, notices } = await at.hear('dispatch T-001 coder: with a discount', spawn);
    expect(notices.map(({ text }) => text.split(' ', 2).join(' '))).toEqual([
      '[CLAIM] T-001',
      '[TASK] T-001',
      '[DONE] T-001',
    ]);
    expect(outcome).toMatchObject({ kind: 'dispatched', mode: 'spawn', ended: { decision: 'done' } });
    expect(reply).toContain('[DONE] T-001');
    expect(await at.task('T-001')).toMatchObject({ status: 'done', owner: 'coder', result: 'it is built' });
    expect(at.lines()).toEqual([
      'T-001 task_created',
      'T-001 task_dispatched',
      'T-001 task_claimed',
      'T-001 task_done',
    ]);
    const prompt = at.cue('T-001.work-1.1.prompt');
    for (const section of ['SYSTEM_ROLE', 'TASK_CONTEXT', 'BOARD_SNAPSHOT', 'TASK_RECENT_HISTORY'])
      expect(prompt).toContain(section);
    for (const part of ['EXECUTION_REQUIREMENTS', 'OUTPUT_SCHEMA', 'OUTPUT_RULES', 'with a discount'])
      expect(prompt).toContain(part);
  });

  it.skipIf(noSandbox)('has its work checked in its own sandbox, from the first attempt on', async () => {
    const outside = path.join(scratch(), 'outside');
    const check = `echo x > inside.txt; echo x > ${outside}; true`;
    const policy = { roles: { coder: { verifyCommands: [check] } } };
    const settings = { sandbox: 'bubblewrap', permission: 'edit' };
    const at = new BoardProject(report(), { settings, policy });
    await at.say('create task: build');
    await at.hear('dispatch T-001 coder', spawn);
    expect(await at.task('T-001')).toMatchObject({ status: 'done' });
    expect(fs.readFileSync(path.join(at.root, 'inside.txt'), 'utf8')).toBe('x\n');
    expect(fs.existsSync(outside)).toBe(false);
  });

  it('is asked once more when the gate misses proof, and then counts', async () => {
    const at = new BoardProject(
      `[ "$DOCKET_ATTEMPT" = 1 ] && ${report({ evidence: [], summary: 'finished' })} || ${report()}`,
    );
    await at.say('create task: build');
    await at.hear('run T-001', spawn);
    expect(at.log).toEqual(['T-001 work-1 1', 'T-001 work-1 2']);
    expect(at.cue('T-001.work-1.2.prompt')).toContain('RETRY');
    expect(await at.task('T-001')).toMatchObject({ status: 'done', result: 'it is built' });
  });

  it('is asked once only: then the task is blocked with what was missing first', async () => {
    const at = new BoardProject(report({ evidence: [], summary: 'finished' }));
    await at.say('create task: build');
    const { reply } = await at.hear('run T-001', spawn);
    expect(at.log).toHaveLength(2);
    expect(reply).toContain('[BLOCKED] T-001');
    expect((await at.task('T-001'))?.blockedReason).toMatch(/finished \| .*evidence/);
    await at.say('unblock T-001');
    await isUnclaimed(at);
    await at.hear('run T-001', spawn);
    expect(at.log).toContain('T-001 work-2 1');
    expect(at.cue('T-001.work-2.1.prompt')).toContain('lastBlockReason');
  });

  it.each([
    ['says that it is blocked', report({ status: 'blocked', summary: 'no access' }), /no access/],
    ['only plans', 'echo "I will look into it next"', /look into it next \| the worker ended without saying/],
    [
      'has a form of its own',
      `echo '{"foo": 1}'`,
      /^the worker ended without saying whether the task is done$/,
    ],
    [
      'gives no reason',
      report({ status: 'blocked', summary: '', taskId: 'T-001' }),
      /blocker without a reason/,
    ],
    ['reports about another task', report({ taskId: 'T-999' }), /about T-999/],
    ['takes too long', 'sleep 30', /timeout/],
  ])('blocks the task when it %s', async (_, script, reason) => {
    const at = new BoardProject(script);
    await at.say('create task: build');
    const { outcome } = await at.hear('run T-001', { ...spawn, timeoutSec: 1 });
    expect(outcome).toMatchObject({ ended: { decision: 'blocked' } });
    const task = await at.task('T-001');
    expect([task?.status, task?.blockedReason]).toEqual(['blocked', expect.stringMatching(reason)]);
    expect(at.log).toHaveLength(1);
  });

  it.each([
    ['exits with an error', 'echo "no disk left" >&2; exit 3', /no disk left/],
    ['says nothing', 'true', /without a report/],
    ['is killed', 'kill -9 $$', /Killed/],
  ])('has three tries when it %s, and is blocked then', async (_, script, reason) => {
    const at = new BoardProject(script);
    await at.say('create task: build');
    const { outcome } = await at.hear('run T-001', spawn);
    expect(outcome).toMatchObject({ ended: { decision: 'blocked' } });
    expect((await at.task('T-001'))?.blockedReason).toMatch(reason);
    expect(at.log).toHaveLength(3);
  });

  it('is tried again when it says that it could not begin now, as everywhere', async () => {
    const at = new BoardProject(`[ "$DOCKET_ATTEMPT" = 1 ] && exit 75; ${report()}`);
    await at.say('create task: build');
    expect(await at.hear('run T-001', spawn)).toMatchObject({ outcome: { ended: { decision: 'done' } } });
    expect(at.log).toEqual(['T-001 work-1 1', 'T-001 work-1 2']);
  });

  it('blocks its task until its limit is over, and says when that is', async () => {
    const scenario = path.join(scratch(), 'limit.yaml');
    fs.writeFileSync(scenario, 'rules: [{ steps: [{ limit: { in: 7200 } }] }]\n');
    const at = new BoardProject('', { settings: { adapter: 'script', command: [scenario], env: {} } });
    await at.say('create task: build');
    await at.hear('run T-001', spawn);
    expect((await at.task('T-001'))?.blockedReason).toMatch(/^limit: .* \(until \d{4}-/);
    expect(at.logText()).toMatch(/"resumesAt": ?"\d{4}-/);
  });

  it('is not started for a task that somebody has, that is done, or that it has no program for', async () => {
    const at = new BoardProject();
    await at.say('create task: build');
    await at.say('claim T-001', 'ann');
    expect(await at.hear('run T-001', spawn)).toMatchObject({ outcome: { code: 'held', holder: 'ann' } });
    expect(await at.hear('dispatch T-001 coder', { ...spawn, as: 'bob' })).toMatchObject({
      outcome: { code: 'forbidden' },
    });
    await at.say('done T-001: all tests pass, see out/test.log', 'ann');
    expect(await at.hear('run T-001', spawn)).toMatchObject({ outcome: { kind: 'already' } });
    fs.rmSync(path.join(at.cues, 'agent.sh'));
    await at.say('create task: more');
    expect(await at.hear('run T-002', spawn)).toMatchObject({ outcome: { code: 'invalid' } });
    expect(await at.stand()).toEqual(['T-001 done', 'T-002 pending']);
    expect(at.log).toEqual([]);
  });

  it('is ended when somebody else decides about its task, whose word counts', async () => {
    const at = new BoardProject(`say begun; await never; ${report()}`);
    await at.say('create task: build');
    const run = at.hear('run T-001', spawn);
    await at.said('begun');
    await at.say('cancel T-001: not needed');
    expect(await run).toMatchObject({ outcome: { ended: { decision: 'lost' } } });
    expect((await at.task('T-001'))?.blockedReason).toContain('not needed');
  });

  it('goes on later when docket is told to stop', async () => {
    const at = new BoardProject(`[ "$DOCKET_ATTEMPT" = 2 ] || { say begun; await never; }; ${report()}`);
    await at.say('create task: build');
    const stop = new AbortController();
    const run = at.hear('run T-001', { ...spawn, signal: stop.signal });
    await at.said('begun');
    stop.abort('shutdown');
    await run;
    expect(await at.stand()).toEqual(['T-001 pending']);
    await at.board.autopilot({ signal: new AbortController().signal });
    expect(await at.stand()).toEqual(['T-001 done']);
    expect(at.lines().filter((line) => line.endsWith('task_dispatched'))).toHaveLength(1);
  });

  it('writes down an order for later, and the loop does it once', async () => {
    const at = new BoardProject();
    await at.say('create task: build');
    const heard = await at.hear('dispatch T-001 coder', { ...spawn, later: true, key: 'm-1' });
    const twice = await at.hear('dispatch T-001 coder', { ...spawn, later: true, key: 'm-1' });
    expect([heard.outcome.kind, twice.outcome.kind, at.log]).toEqual(['dispatched', 'dispatched', []]);
    const { steps } = await at.board.autopilot({ signal: new AbortController().signal });
    expect(steps).toMatchObject([{ taskId: 'T-001', agent: 'coder', decision: 'done' }]);
    const again = await at.board.autopilot({ signal: new AbortController().signal });
    expect([again.steps, at.log]).toEqual([[], ['T-001 work-1 1']]);
  });
});
