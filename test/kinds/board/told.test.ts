import { describe, expect, it } from 'vitest';
import type { Heard } from '../../../src/kinds/board/act.ts';
import type { News } from '../../../src/kinds/board/follow.ts';
import type { Told } from '../../../src/kinds/board/told.ts';
import { BoardProject, report } from '../../support/board-project.ts';

const proof = 'all tests pass, see out/test.log';
const first = ({ text }: Told): string => text.split('\n', 1)[0] ?? '';

/** Everything that the log has to tell now. */
async function follow(at: BoardProject, options: Partial<Parameters<typeof at.board.follow>[0]> = {}) {
  const stop = new AbortController();
  const all: News[] = [];
  const last = at.seq();
  for await (const news of at.board.follow({
    after: 0,
    locale: () => 'en' as const,
    signal: stop.signal,
    ...options,
  })) {
    all.push(news);
    if (news.seq >= last) stop.abort();
  }
  return all.flatMap(({ told }) => told);
}

describe('what the group is told', { timeout: 60_000 }, () => {
  it('is the same from the answer and from the log, with the same keys, for every command', async () => {
    const at = new BoardProject();
    const heard: Heard[] = [];
    const say = async (text: string, as = 'orchestrator') => void heard.push(await at.hear(text, { as }));
    await say('create task: one');
    await say('claim T-001', 'ann');
    await say('claim T-001 --steal', 'bob');
    await say('done T-001: looks fine', 'bob');
    await say('unblock T-001');
    await say('dispatch T-001 coder: with care');
    await say(`submit T-001 @ann: ${proof}`, 'coder');
    await say('request changes T-001: name it better', 'ann');
    await say(`submit T-001: ${proof}`, 'coder');
    await say('approve T-001', 'ann');
    await say('reopen T-001: not yet');
    await say('block task T-001: no key');
    await say('escalate task T-001: webhook auth failing');
    await say('fail task T-001: cannot be done');
    await say('reopen T-001');
    await say('cancel T-001: not needed');
    await say('create task T-010: two');
    await say('needs T-010: T-002');
    await say('create project Shop: build; debug it');
    await say('run T-011');
    const told = heard.flatMap(({ notices }) => notices);
    expect(told.map(first)).toEqual([
      '[TASK] T-001 | status=pending | suggested owner=orchestrator',
      '[CLAIM] T-001 | status=claimed | owner=ann',
      '[CLAIM] T-001 | status=claimed | owner=bob',
      '[BLOCKED] T-001 | status=blocked | owner=bob',
      '[TASK] T-001 | status=pending | owner=nobody',
      '[CLAIM] T-001 | status=claimed | assigned to=coder',
      '[TASK] T-001 | owner=coder',
      '[REVIEW] T-001 | status=in review | reviewer=ann',
      '[REVIEW] T-001 | status=in progress | owner=coder',
      '[REVIEW] T-001 | status=in review | owner=coder',
      '[REVIEW] T-001 | status=done | reviewer=ann',
      '[TASK] T-001 | status=pending | owner=nobody',
      '[BLOCKED] T-001 | status=blocked | owner=nobody',
      '[DIAG] T-002 | status=pending | assigned to=debugger',
      '[BLOCKED] T-001 | status=failed | owner=nobody',
      '[TASK] T-001 | status=pending | owner=nobody',
      '[BLOCKED] T-001 | status=blocked | owner=nobody',
      '[TASK] T-010 | status=pending | suggested owner=orchestrator',
      '[TASK] T-010 | status=pending | owner=nobody',
      '[TASK] T-011 | status=pending | suggested owner=coder',
      '[TASK] T-012 | status=pending | suggested owner=debugger',
      '[CLAIM] T-011 | status=claimed | assigned to=coder',
      '[TASK] T-011 | owner=coder',
    ]);
    expect(new Set(told.map(({ key }) => key)).size).toBe(told.length);
    const keys = (all: readonly Told[]): string[] => all.map((one) => `${one.seq} ${one.key} ${first(one)}`);
    expect(keys(await follow(at))).toEqual(keys(told));
    const half = told.slice(8);
    expect(keys(await follow(at, { after: (half[0]?.seq ?? 0) - 1 }))).toEqual(keys(half));
  });

  it('has buttons where people must act, and an old card changes nothing', async () => {
    const at = new BoardProject();
    const { signal } = new AbortController();
    const press = (card: Told['card'], action: string, actor: string) => {
      const found = card?.buttons.find((button) => button.press.action === action)?.press;
      if (!found) throw new Error(`no button ${action}`);
      const { taskId, times } = found;
      return at.board.act(
        { intent: action as 'approve_review', taskId },
        { actor, times, signal, locale: 'en' },
      );
    };
    await at.say('create task: one');
    await at.say('claim T-001', 'coder');
    const [old] = (await at.hear(`submit T-001: ${proof}`, { as: 'coder' })).notices;
    expect((await press(old?.card, 'request_changes', 'ann')).outcome).toMatchObject({ move: 'returned' });
    const [fresh] = (await at.hear(`submit T-001: ${proof}`, { as: 'coder' })).notices;
    const stale = await press(old?.card, 'approve_review', 'ann');
    expect([stale.outcome, stale.events]).toMatchObject([{ kind: 'refused', code: 'stale' }, []]);
    expect((await press(fresh?.card, 'approve_review', 'coder')).outcome).toMatchObject({
      code: 'own_review',
    });
    expect((await press(fresh?.card, 'approve_review', 'ann')).outcome).toMatchObject({ move: 'approved' });
    expect((await press(fresh?.card, 'approve_review', 'ann')).outcome).toMatchObject({ kind: 'already' });
    await at.say('create task: two');
    await at.say('claim T-002', 'coder');
    const [gated] = (await at.hear('done T-002: looks fine', { as: 'coder' })).notices;
    expect((await press(gated?.card, 'unblock_task', 'ann')).outcome).toMatchObject({ move: 'unblocked' });
  });

  it('shows a worker handing over, and how far people are, only where that is wanted', async () => {
    const at = new BoardProject(report());
    await at.say('create task: one');
    await at.hear('run T-001', { mode: 'spawn' });
    await at.say('create task: two');
    await at.say('claim T-002', 'coder');
    await at.say('@orchestrator T-002 half of it is there', 'coder');
    const count = async (visibility: 'milestone_only' | 'handoff_visible' | 'full_visible') =>
      (await follow(at, { visibility })).map(
        ({ text, from }) => `${from ?? ''} ${text.split('\n')[1] ?? ''}`,
      );
    const quiet = await count('milestone_only');
    expect(await count('handoff_visible')).toHaveLength(quiet.length + 1);
    const full = await count('full_visible');
    expect(full.filter((line) => !quiet.includes(line))).toEqual([
      expect.stringMatching(/^coder .*it is built/),
      expect.stringContaining('half of it is there'),
    ]);
  });
});
