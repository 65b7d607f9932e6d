import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { BoardProject } from '../../support/board-project.ts';

const proof = 'all tests pass, see out/test.log';

describe('the same message twice', { timeout: 60_000 }, () => {
  it.each([
    ['create task: one', 'orchestrator'],
    ['create task T-050: one', 'orchestrator'],
    ['create project Shop: build; debug', 'orchestrator'],
    ['claim T-001', 'ann'],
    ['claim T-002', 'ann'],
    ['claim T-002 --steal', 'bob'],
    ['@bob claim T-001', 'orchestrator'],
    [`done T-002: ${proof}`, 'ann'],
    ['done T-002: looks fine', 'ann'],
    [`submit T-002: ${proof}`, 'ann'],
    ['block task T-001: no key', 'ann'],
    ['escalate task T-001: no key', 'ann'],
    ['fail task T-001', 'ann'],
    ['cancel task T-001', 'ann'],
    ['needs T-001: T-002', 'ann'],
    ['run', 'orchestrator'],
    ['dispatch T-001 debugger: look', 'orchestrator'],
    ['@orchestrator T-002 is completed', 'ann'],
    ['@orchestrator T-002 half of it is there', 'ann'],
  ])('%s: is done once, and answered alike', async (text, as) => {
    const at = new BoardProject();
    await at.say('create task: a');
    await at.say('create task: b');
    await at.say('claim T-002', 'ann');
    const log = path.join(at.root, 'state/tasks.jsonl');
    const one = await at.hear(text, { as, key: 'feishu:message:1' });
    expect(one.outcome.kind, `answer: ${one.reply}`).not.toBe('refused');
    const size = fs.statSync(log).size;
    const two = await at.hear(text, { as, key: 'feishu:message:1' });
    expect(fs.statSync(log).size).toBe(size);
    const { kind } = one.outcome;
    expect(two.outcome).toMatchObject(
      one.outcome.kind === 'moved'
        ? { kind, move: one.outcome.move, task: { ...one.outcome.task } }
        : { kind },
    );
    expect(two.notices).toEqual(one.notices);
  });

  it('is answered with the task as it is by now', async () => {
    const at = new BoardProject();
    await at.hear('create task: one', { key: 'k' });
    await at.say('claim T-001', 'ann');
    expect(await at.hear('create task: one', { key: 'k' })).toMatchObject({
      outcome: { kind: 'moved', move: 'created', task: { taskId: 'T-001', owner: 'ann', status: 'claimed' } },
    });
  });

  it('runs no command of the gate again', async () => {
    const at = new BoardProject();
    at.write(
      'config/acceptance-policy.json',
      JSON.stringify({ roles: { ann: { verifyCommands: [`echo x >> ${at.cues}/ran`] } } }),
    );
    const board = at.another();
    const { signal } = new AbortController();
    await at.say('create task: one');
    await at.say('claim T-001', 'ann');
    const done = { intent: 'mark_done', taskId: 'T-001', result: proof } as const;
    for (let n = 0; n < 2; n += 1)
      expect(await board.act(done, { actor: 'ann', key: 'k', signal })).toMatchObject({
        outcome: { kind: 'moved', move: 'done' },
      });
    expect(at.cue('ran')).toBe('x\n');
  });
});
