import { describe, expect, it } from 'vitest';
import { shown as board } from '../support/board.ts';
import { docket } from '../support/chat-process.ts';
import { boardProject, FeishuGroup, serveFeishu } from '../support/feishu-group.ts';
import { FeishuServer } from '../support/feishu-server.ts';
import { until } from '../support/serving.ts';

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const proof = 'all tests pass, see https://ci.example.com/1';

/** Whatever was sent again carried the key that it had the first time, so that it is seen once. */
function expectOneKeyEach({ tries, shown }: FeishuServer): void {
  const keys = new Map(tries.map(({ content, uuid }) => [JSON.stringify(content), uuid]));
  expect(tries.filter(({ content, uuid }) => keys.get(JSON.stringify(content)) !== uuid)).toEqual([]);
  expect(shown).toHaveLength(keys.size);
}

describe('a day of a board in Feishu', () => {
  it('ends right, and each notice is seen once, whatever happened to docket and to Feishu', async () => {
    const server = await FeishuServer.start();
    const { root, shop } = boardProject();
    const serve = () => serveFeishu(root, server);
    const group = new FeishuGroup(server);

    // Morning: a project is started, its first task goes to the coder, who is really mentioned.
    let chat = await serve();
    await group.say(`start project ${shop}`, 'ou_ann', { times: 3 });
    await group.sees('[CLAIM] T-001');
    await until(() => server.texts.some((text) => text.includes('<at user_id="ou_coder">Coder</at>')));
    await group.say(`T-001 done, evidence: ${proof}`, 'ou_coder');
    await group.sees('[DONE] T-001');

    // The next one is said to be done without proof: refused. A person lets it go on, by card; the card counts once.
    await group.say('dispatch T-002 coder: with care');
    await group.sees('[CLAIM] T-002');
    await group.say('T-002 is completed', 'ou_coder');
    await group.sees('[BLOCKED] T-002');
    const unblock = group.button('T-002', 'unblock_task');
    server.expireToken();
    expect(await group.press(unblock, 'ev_1')).toContain('T-002');
    await group.sees('[TASK] T-002 | status=pending');
    expect(await group.press(unblock, 'ev_2')).not.toContain('unblocked');

    // A question, and the same again a moment later.
    await group.say('clarify T-002 coder: which currency?');
    await group.sees('[TASK] T-002 | status=clarify');
    server.faults.push({ kind: 'limit', seconds: 1 });
    await group.say('clarify T-002 coder: which currency?');
    await group.sees('[TASK] T-002 | too many questions');

    // Noon: what was said last arrives first, everything twice, and an answer of Feishu is lost.
    server.faults.push({ kind: 'lose' });
    const now = Date.now();
    await group.say('claim T-003', 'ou_bob', { at: now + 20, times: 2 });
    await group.say('create task T-003: write the manual', 'ou_bob', { at: now, times: 2 });
    await group.sees('[CLAIM] T-003');

    // Killed with a message in its hands.
    await group.say('claim T-002', 'ou_coder');
    await chat.kill();
    await until(() => server.connections === 0);
    expect(docket(root, ['say', 'create task T-004: from the terminal']).code).toBe(0);
    chat = await serve();
    await group.sees('[CLAIM] T-002', 2);
    await group.sees('[TASK] T-004');

    // Afternoon: Feishu is away for five seconds, and work goes on.
    server.isOut = true;
    server.dropConnections();
    expect(docket(root, ['say', 'create task T-005: while nobody hears']).code).toBe(0);
    await sleep(5000);
    server.isOut = false;
    await group.sees('[TASK] T-005');
    await until(() => server.connections > 0);

    // Evening: the review, approved by card, by somebody else than the author.
    await group.say(`submit T-002: ${proof}`, 'ou_coder');
    await group.sees('[REVIEW] T-002');
    const approve = group.button('T-002', 'approve_review');
    expect(await group.press(approve, 'ev_3', 'ou_coder')).toContain('own work');
    await group.press(approve, 'ev_4');
    await group.press(approve, 'ev_4');
    await group.sees('[REVIEW] T-002 | status=done');
    await group.say('status');
    await group.sees('[TASK] Board');
    expect(await chat.stop()).toBe(0);

    const tasks = Object.values(board(root)).map(({ taskId, status, owner, title }) => [
      taskId,
      status,
      owner,
      title,
    ]);
    expect(tasks).toEqual([
      ['T-001', 'done', 'coder', '[Shop] M1: build the cart'],
      ['T-002', 'done', 'coder', '[Shop] M2: build the checkout'],
      ['T-003', 'claimed', 'ou_bob', 'write the manual'],
      ['T-004', 'pending', null, 'from the terminal'],
      ['T-005', 'pending', null, 'while nobody hears'],
    ]);
    expect(group.lines.map((line) => line.replace(/\d+ s$/, 'N s')).toSorted()).toEqual(
      [
        '[TASK] T-001 | status=pending | suggested owner=coder',
        '[TASK] T-002 | status=pending | suggested owner=coder',
        '[CLAIM] T-001 | status=claimed | assigned to=coder',
        '[TASK] T-001 | owner=coder',
        '[TASK] project started: Shop | new tasks=2',
        '[DONE] T-001 | status=done | owner=coder',
        '[CLAIM] T-002 | status=claimed | assigned to=coder',
        '[TASK] T-002 | owner=coder',
        '[BLOCKED] T-002 | status=blocked | owner=coder',
        '[TASK] T-002 | status=pending | owner=nobody',
        '[TASK] T-002 | status=clarify | role=coder',
        '[TASK] T-002 | too many questions at once; coder can be asked in N s',
        '[TASK] T-003 | status=pending | suggested owner=ou_bob',
        '[CLAIM] T-003 | status=claimed | owner=ou_bob',
        '[CLAIM] T-002 | status=claimed | owner=coder',
        '[TASK] T-004 | status=pending | suggested owner=orchestrator',
        '[TASK] T-005 | status=pending | suggested owner=orchestrator',
        '[REVIEW] T-002 | status=in review | owner=coder',
        '[REVIEW] T-002 | status=done | reviewer=ou_ann',
        '[TASK] Board | 5 tasks | 2 pending, 1 claimed, 2 done',
      ].toSorted(),
    );
    expectOneKeyEach(server);
    expect(server.tries.length).toBeGreaterThan(server.shown.length);
  });

  it('survives a kill at any moment: everything that was said is done once and told once', async () => {
    const server = await FeishuServer.start();
    const { root } = boardProject();
    const group = new FeishuGroup(server);
    const rounds = [0, 150, 210, 240, 270, 320, 400];
    for (const [index, ms] of rounds.entries()) {
      const chat = await serveFeishu(root, server);
      await group.say(`create task T-10${index}: round ${index}`);
      await group.say(`claim T-10${index}`, 'ou_coder', { at: Date.now() + 10 });
      await sleep(ms);
      await chat.kill();
      await until(() => server.connections === 0);
    }
    const chat = await serveFeishu(root, server);
    for (const index of rounds.keys()) await group.sees(`[CLAIM] T-10${index}`);
    await chat.stop();
    const done = Object.values(board(root)).map(({ taskId, status, owner }) => [taskId, status, owner]);
    expect(done).toEqual(rounds.map((_, index) => [`T-10${index}`, 'claimed', 'coder']));
    const told = rounds.flatMap((_, index) => [
      `[CLAIM] T-10${index} | status=claimed | owner=coder`,
      `[TASK] T-10${index} | status=pending | suggested owner=ou_ann`,
    ]);
    expect(group.lines.toSorted()).toEqual(told.toSorted());
    expectOneKeyEach(server);
  });
});
