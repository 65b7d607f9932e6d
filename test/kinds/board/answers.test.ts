import { describe, expect, it } from 'vitest';
import { BoardProject } from '../../support/board-project.ts';

/** What somebody is told who cannot have what they want: why, and what they can do. */
const refusals: readonly [what: string, before: readonly string[], says: readonly [string, RegExp][]][] = [
  [
    'what is done',
    ['claim T-001', 'done T-001: all tests pass, see out/test.log'],
    [
      ['block T-001: no', /possible now: reopen task$/],
      ['阻塞 T-001：不', /现在可以: 重新打开$/],
    ],
  ],
  [
    'what is blocked',
    ['block T-001: no'],
    [
      ['approve T-001', /possible now: unblock task, claim task$/],
      ['完了 T-001: 全部', /今できること: ブロック解除、担当$/],
    ],
  ],
  ['what nobody has', [], [['submit T-001: x', /possible now: claim task, block task$/]]],
  [
    'needs in a circle, and of nothing',
    ['create task T-002: two', 'needs T-001: T-002'],
    [
      ['needs T-002: T-001', /wait for each other: T-002 → T-001 → T-002$/],
      ['依赖 T-002：T-009', /所依赖的任务不存在: T-009$/],
    ],
  ],
];

describe('an answer to what cannot be done', () => {
  it.each(refusals)('says what can be, of %s', async (_, before, says) => {
    const at = new BoardProject();
    await at.say('create task T-001: one');
    for (const text of before) await at.say(text);
    for (const [text, answer] of says) {
      const { reply, outcome } = await at.board.say({
        text,
        sender: { actor: 'orchestrator', isBot: false },
        signal: new AbortController().signal,
      });
      expect([reply, outcome.kind, reply.split('\n').length <= 3]).toEqual([
        expect.stringMatching(answer),
        'refused',
        true,
      ]);
    }
  });

  it('names who has it and how to take it over, by the command that does', async () => {
    const at = new BoardProject();
    await at.say('create task: one');
    await at.say('claim T-001', 'ann');
    expect(await at.say('claim T-001', 'bob')).toMatch(/ann holds it; add --steal to take it over$/);
    expect(await at.say('dispatch T-001 coder')).toMatch(/ann holds it; say "claim task T-001 --steal"/);
    expect(await at.say('dispatch T-001 coder', 'ann')).toMatch(/begin with @orchestrator/);
  });

  it('does not send anybody to take over what a worker is at', async () => {
    const at = new BoardProject('say begun; await end');
    await at.say('create task: one');
    const run = at.hear('run T-001', { mode: 'spawn' });
    await at.said('begun');
    for (const text of ['claim T-001 --steal', 'dispatch T-001 coder', 'done T-001: out/a.log'])
      expect(await at.say(text, text.startsWith('dispatch') ? undefined : 'bob')).toMatch(
        /a worker .* is at it/,
      );
    at.tell('end');
    await run;
  });

  it('of the gate says what to do next, and blocks with a reason that begins with words', async () => {
    const at = new BoardProject();
    await at.say('create task: one');
    await at.say('claim T-001', 'ann');
    expect(await at.say('done T-001', 'ann')).toMatch(/\nnext: claim task T-001, then mark done T-001: /);
    expect((await at.task('T-001'))?.blockedReason).toMatch(/^verifiable evidence/);
  });

  it('has no word of the log in it that says nothing, and knows canceled from blocked', async () => {
    const at = new BoardProject();
    await at.say('create task: one');
    const { notices, reply } = await at.hear('cancel T-001', { locale: 'zh' });
    expect([reply, notices[0]?.text]).toEqual(Array(2).fill(expect.stringMatching(/\n已取消: one$/)));
    expect(await at.say('cancel T-001')).toContain('is canceled already');
  });
});
