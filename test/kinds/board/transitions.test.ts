import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { BoardProject } from '../../support/board-project.ts';

const proof = 'all tests pass, see out/test.log';

/** How a task comes to each status. */
const ways: Record<string, readonly string[]> = {
  pending: [],
  claimed: ['ann claim T-001'],
  in_progress: ['ann claim T-001', 'ann claim T-001'],
  review: ['ann claim T-001', `ann submit T-001: ${proof}`],
  blocked: ['ann block task T-001: no key'],
  failed: ['ann fail task T-001: cannot be'],
  done: ['ann claim T-001', `ann mark done T-001: ${proof}`],
  canceled: ['ann cancel task T-001: not needed'],
};

/** Commands in both languages, each by who may say it. */
const commands: Record<string, readonly [en: string, zh: string]> = {
  claim: ['ann claim task T-001', 'ann 认领 T-001'],
  'claim by another': ['bob claim task T-001', 'bob 认领 T-001'],
  steal: ['bob claim task T-001 --steal', 'bob 认领 T-001 强制'],
  done: [`ann mark done T-001: ${proof}`, `ann 完成 T-001：测试全部通过，日志 out/test.log`],
  'done without proof': ['ann mark done T-001: looks fine', 'ann 完成 T-001：应该可以了'],
  block: ['ann block task T-001: no access', 'ann 阻塞 T-001：没有权限'],
  unblock: ['ann unblock task T-001', 'ann 解除阻塞 T-001'],
  escalate: ['ann escalate task T-001: webhook', 'ann 升级 T-001：webhook'],
  submit: [`ann submit T-001: ${proof}`, `ann 提交复核 T-001：测试全部通过，日志 out/test.log`],
  approve: ['bob approve T-001', 'bob 批准 T-001'],
  'approve own': ['ann approve T-001', 'ann 批准 T-001'],
  changes: ['bob request changes T-001: rename', 'bob 要求修改 T-001：改名'],
  reopen: ['ann reopen task T-001: again', 'ann 重新打开 T-001：再来'],
  fail: ['ann fail task T-001: broken', 'ann 标记失败 T-001：坏了'],
  cancel: ['ann cancel task T-001: no', 'ann 取消 T-001：不要'],
};

/** Where each command leads from each status: a status, `already`, or `no` with the task as it was. */
const table: Record<string, Record<string, string>> = {
  claim: {
    pending: 'claimed',
    claimed: 'in_progress',
    in_progress: 'already',
    review: 'no',
    blocked: 'in_progress',
    failed: 'in_progress',
    done: 'no',
    canceled: 'no',
  },
  'claim by another': {
    pending: 'claimed',
    claimed: 'no',
    in_progress: 'no',
    review: 'no',
    blocked: 'in_progress',
    failed: 'in_progress',
    done: 'no',
    canceled: 'no',
  },
  steal: { pending: 'claimed', claimed: 'claimed', in_progress: 'in_progress', review: 'no', done: 'no' },
  done: {
    pending: 'no',
    claimed: 'done',
    in_progress: 'done',
    review: 'no',
    blocked: 'no',
    failed: 'no',
    done: 'already',
    canceled: 'no',
  },
  'done without proof': { pending: 'no', claimed: 'blocked', in_progress: 'blocked', done: 'already' },
  block: {
    pending: 'blocked',
    claimed: 'blocked',
    in_progress: 'blocked',
    review: 'blocked',
    blocked: 'blocked',
    failed: 'no',
    done: 'no',
    canceled: 'no',
  },
  unblock: { pending: 'already', claimed: 'already', blocked: 'pending', done: 'already' },
  escalate: {
    pending: 'blocked',
    claimed: 'blocked',
    in_progress: 'blocked',
    review: 'blocked',
    blocked: 'blocked',
    failed: 'no',
    done: 'no',
    canceled: 'no',
  },
  submit: {
    pending: 'no',
    claimed: 'review',
    in_progress: 'review',
    review: 'already',
    blocked: 'no',
    done: 'no',
  },
  approve: { pending: 'no', in_progress: 'no', review: 'done', blocked: 'no', done: 'already' },
  'approve own': { review: 'no', done: 'already' },
  changes: { pending: 'no', review: 'in_progress', done: 'no' },
  reopen: {
    pending: 'already',
    claimed: 'already',
    blocked: 'already',
    failed: 'pending',
    done: 'pending',
    canceled: 'pending',
  },
  fail: {
    pending: 'failed',
    claimed: 'failed',
    in_progress: 'failed',
    review: 'failed',
    blocked: 'failed',
    failed: 'already',
    done: 'no',
    canceled: 'no',
  },
  cancel: {
    pending: 'blocked',
    claimed: 'blocked',
    in_progress: 'blocked',
    review: 'blocked',
    blocked: 'blocked',
    failed: 'blocked',
    done: 'no',
    canceled: 'already',
  },
};

async function said(at: BoardProject, line: string) {
  const [, as = '', text = ''] = /^(\S+) (.*)$/s.exec(line) ?? [];
  return at.hear(text, { as });
}

describe('a task of a board', { timeout: 60_000 }, () => {
  for (const [name, froms] of Object.entries(table)) {
    it(`${name}: leads where the table says, in both languages`, async () => {
      const at = new BoardProject();
      const close = await at.board.keepOpen();
      try {
        let n = 0;
        for (const [from, to] of Object.entries(froms)) {
          for (const command of commands[name] ?? []) {
            n += 1;
            const id = `X-${n}`;
            const own = (line: string): string => line.replace('T-001', id);
            await at.say(`create task ${id}: ${name} from ${from}`);
            for (const way of ways[from] ?? []) await said(at, own(way));
            const before = await at.task(id);
            const { outcome } = await said(at, own(command));
            const after = await at.task(id);
            const seen =
              outcome.kind === 'refused' ? 'no' : outcome.kind === 'already' ? 'already' : after?.status;
            const stays = to === 'no' || to === 'already';
            expect([seen, stays ? after : undefined], `${own(command)} from ${from}`).toEqual([
              to,
              stays ? before : undefined,
            ]);
          }
        }
      } finally {
        await close();
      }
    });
  }
});

describe('what is left of a claim', () => {
  it('a done that the gate holds is one line in the log, without a claim before it', async () => {
    const at = new BoardProject();
    await at.say('create task: build');
    await at.say('claim T-001', 'ann');
    expect(await at.say('mark done T-001: looks fine', 'ann')).toContain('[BLOCKED] T-001');
    expect(at.lines()).toEqual(['T-001 task_created', 'T-001 task_claimed', 'T-001 task_blocked']);
  });

  it('the lease file goes with the claim, whoever ended it', async () => {
    const at = new BoardProject();
    const leases = (): string[] =>
      fs.readdirSync(path.join(at.root, 'state/locks')).filter((name) => name.endsWith('.lease.json'));
    for (const title of ['one', 'two', 'three']) await at.say(`create task: ${title}`);
    for (const id of ['T-001', 'T-002', 'T-003']) await at.say(`claim ${id}`, 'ann');
    expect(leases()).toEqual(['T-001.lease.json', 'T-002.lease.json', 'T-003.lease.json']);
    await at.say('mark done T-001: all 3 tests passed', 'ann');
    await at.say('block task T-002: no key', 'ann');
    // A line of the format's other tools.
    const payload = { from: 'claimed', to: 'done', result: 'log' };
    const done = { eventId: 'e-1', taskId: 'T-003', type: 'task_done', messageType: '[DONE]', actor: 'ann' };
    const line = JSON.stringify({ ...done, at: '2026-11-18T08:00:00Z', payload });
    fs.appendFileSync(path.join(at.root, 'state/tasks.jsonl'), `${line}\n`);
    await at.say('create task: four');
    expect(leases()).toEqual([]);
  });
});
