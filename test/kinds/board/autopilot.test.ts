import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { BoardProject, report } from '../../support/board-project.ts';
import { until } from '../../support/project.ts';

const never = (): AbortSignal => new AbortController().signal;

describe('the autopilot', { timeout: 60_000 }, () => {
  it('takes the lowest numbers whose needs are met, so many and no more', async () => {
    const at = new BoardProject(undefined, { protocol: { orchestrator: { maxConcurrentSpawns: 1 } } });
    for (const id of ['T-1001', 'T-992', 'T-007', 'T-008']) await at.say(`create task ${id}: ${id}`);
    await at.say('needs T-007: T-1001');
    const { outcome, notices } = await at.hear('autopilot 2');
    expect(outcome).toMatchObject({ stepsRun: 2, done: 2, blocked: 0, stopReason: 'max_steps_reached' });
    expect(at.log).toEqual(['T-008 work-1 1', 'T-992 work-1 1']);
    expect(notices.map(({ text }) => text.split(' ', 1)[0])).toEqual(
      Array.from({ length: 2 }, () => ['[CLAIM]', '[TASK]', '[DONE]']).flat(),
    );
    expect(await at.hear('autopilot 9')).toMatchObject({
      outcome: { stepsRun: 2, stopReason: 'no_runnable_task' },
    });
    expect(at.log.slice(2)).toEqual(['T-1001 work-1 1', 'T-007 work-1 1']);
  });

  it('does not take up again what came back blocked, nor what somebody has', async () => {
    const at = new BoardProject(report({ status: 'blocked', summary: 'no access' }));
    for (const title of ['one', 'two', 'three']) await at.say(`create task: ${title}`);
    await at.say('claim T-002', 'ann');
    expect(await at.hear('autopilot 9')).toMatchObject({ outcome: { stepsRun: 2, blocked: 2 } });
    expect(await at.hear('autopilot 9')).toMatchObject({ outcome: { stepsRun: 0 } });
    expect(await at.stand()).toEqual(['T-001 blocked', 'T-002 claimed', 'T-003 blocked']);
    await at.say('unblock T-003');
    await at.hear('autopilot');
    expect(at.log).toHaveLength(3);
  });

  it('never gives a task to two workers, however many autopilots there are', async () => {
    const at = new BoardProject(`sleep 0.05; ${report()}`);
    for (let n = 0; n < 8; n += 1) await at.say(`create task: ${n}`);
    const input = { intent: 'autopilot', steps: 5 } as const;
    const asked = { actor: 'orchestrator', signal: never() };
    const heard = await Promise.all([1, 2].map(() => at.another().act(input, asked)));
    const ran = heard.map(({ outcome }) => (outcome.kind === 'autopilot' ? outcome.stepsRun : 0));
    expect(ran.reduce((sum, n) => sum + n, 0)).toBe(8);
    expect(new Set(at.log.map((line) => line.split(' ')[0])).size).toBe(8);
    expect([at.log.length, new Set(await at.stand()).size]).toEqual([8, 8]);
  });

  it('has no more workers at once than the board allows, over all dockets', async () => {
    const at = new BoardProject(`say "$DOCKET_TASK_ID"; await go; ${report()}`, {
      protocol: { orchestrator: { maxConcurrentSpawns: 2 } },
    });
    for (let n = 0; n < 4; n += 1) await at.say(`create task: ${n}`);
    const asked = { actor: 'orchestrator', signal: never() };
    const passes = [1, 2].map(() => at.another().act({ intent: 'autopilot', steps: 4 }, asked));
    await until('two workers', () => at.log.length === 2);
    at.tell('go');
    await Promise.all(passes);
    expect(await at.stand()).toEqual(['T-001 done', 'T-002 done', 'T-003 done', 'T-004 done']);
    expect(at.log).toHaveLength(4);
  });

  it('is for the orchestrator, and for whoever asks it', async () => {
    const at = new BoardProject();
    await at.say('create task: one');
    for (const text of [
      'autopilot',
      '自动推进 开',
      'auto progress off',
      'start project /',
      'dispatch T-001 coder',
    ])
      expect(await at.hear(text, { as: 'ann' })).toMatchObject({ outcome: { code: 'forbidden' } });
    expect(at.log).toEqual([]);
    expect(await at.hear('@orchestrator autopilot 1', { as: 'ann' })).toMatchObject({
      outcome: { stepsRun: 1 },
    });
  });

  it('is a state that outlives the process: steps that were ordered for later are done once', async () => {
    const at = new BoardProject();
    for (const title of ['one', 'two', 'three']) await at.say(`create task: ${title}`);
    const later = { later: true, key: 'm-1' };
    expect(await at.hear('autopilot 2', later)).toMatchObject({ outcome: { kind: 'autopilot_ordered' } });
    await at.hear('autopilot 2', later);
    expect(at.log).toEqual([]);
    const { steps } = await at.another().autopilot({ signal: never() });
    expect(steps.map(({ decision }) => decision)).toEqual(['done', 'done']);
    expect((await at.another().autopilot({ signal: never() })).steps).toEqual([]);
    expect(await at.stand()).toContain('T-003 pending');
  });

  it('still does a step that docket died over, between the order and the log, and no other', async () => {
    const at = new BoardProject();
    for (const title of ['one', 'two', 'three']) await at.say(`create task: ${title}`);
    const file = 'state/user-friendly.autopilot.json';
    const taken = { key: 'autopilot:never-written', seq: at.seq() };
    at.write(file, JSON.stringify({ enabled: false, maxSteps: 2, stepsLeft: 1, taken }));
    expect((await at.another().autopilot({ signal: never() })).steps).toHaveLength(2);
    expect((await at.another().autopilot({ signal: never() })).steps).toEqual([]);
    expect(await at.stand()).toEqual(['T-001 done', 'T-002 done', 'T-003 pending']);
    // So long ago that nobody remembers: it was done, or somebody has given up on it.
    at.write(
      file,
      JSON.stringify({ enabled: false, maxSteps: 2, taken: { ...taken, seq: at.seq() - 6000 } }),
    );
    expect((await at.another().autopilot({ signal: never() })).steps).toEqual([]);
  });

  it.each(['自动推进 开 3', 'auto progress on 3', 'autopilot 3'])(
    'stores nothing without an agent: %s',
    async (text) => {
      const at = new BoardProject();
      await at.say('create task: one');
      await at.hear('auto progress off');
      const file = 'state/user-friendly.autopilot.json';
      const before = fs.readFileSync(path.join(at.root, file), 'utf8');
      at.write('.docket/config.yaml', '{}');
      for (const how of [{}, { later: true, key: 'm-1' }]) {
        const { outcome, reply } = await at.hear(text, how);
        expect(outcome).toMatchObject({ kind: 'refused', code: 'invalid' });
        expect(reply).toContain('docket agents');
      }
      expect(fs.readFileSync(path.join(at.root, file), 'utf8')).toBe(before);
      expect(await at.say('auto progress status')).toContain('auto progress is off');
    },
  );

  it('drops the steps that found no task, and those that are left when it is switched off', async () => {
    const at = new BoardProject();
    await at.say('create task: one');
    expect(await at.hear('autopilot 5')).toMatchObject({ outcome: { stepsRun: 1, maxSteps: 5 } });
    await at.say('create task: two');
    expect((await at.another().autopilot({ signal: never() })).steps).toEqual([]);
    await at.hear('autopilot 2', { later: true });
    await at.hear('auto progress off');
    expect((await at.another().autopilot({ signal: never() })).steps).toEqual([]);
    expect(await at.stand()).toEqual(['T-001 done', 'T-002 pending']);
  });

  it('goes on by itself while auto progress is on, as tasks become ready', async () => {
    const at = new BoardProject();
    expect(await at.say('自动推进 状态')).toContain('maxSteps=2');
    const { outcome } = await at.hear('自动推进 开 20', { later: true });
    expect(outcome).toEqual({ kind: 'auto_progress', enabled: true, maxSteps: 10 });
    const stop = new AbortController();
    const faults: unknown[] = [];
    const onFault = (fault: unknown): void => void faults.push(fault);
    const loop = at.another().autopilot({ signal: stop.signal, forever: true, onFault });
    for (let n = 1; n <= 3; n += 1) {
      await at.say(`create task: ${n}`);
      await at.becomes(`T-00${n}`, 'done');
    }
    await at.hear('auto progress off', { later: true });
    await at.say('create task: 4');
    await at.hear('dispatch T-004 debugger', { mode: 'spawn', later: true });
    await at.becomes('T-004', 'done');
    await at.say('create task: 5');
    stop.abort('shutdown');
    await loop;
    expect([faults, at.log.length, (await at.task('T-005'))?.status]).toEqual([[], 4, 'pending']);
  });
});
