import { describe, expect, it, onTestFinished } from 'vitest';
import { BoardProject } from '../../support/board-project.ts';

const proof = 'all tests pass, see out/test.log';

interface Row {
  what: string;
  says: readonly [en: string, zh: string];
  as?: string;
  outcome: object;
  /** The first line of the answer, in the language of the request. */
  reply?: readonly [en: RegExp, zh: RegExp];
}

/** Every row of the command router, in its order, on a board with T-001 pending, T-002 Ann's, T-003 done, T-004 blocked. */
const rows: readonly Row[] = [
  { what: 'help', says: ['help', '帮助'], outcome: { kind: 'help' }, reply: [/understands/, /快速入口/] },
  {
    what: 'auto progress',
    says: ['auto progress status', '自动推进 状态'],
    outcome: { kind: 'auto_progress', enabled: false, maxSteps: 2 },
    reply: [/off \| maxSteps=2/, /^\[TASK\] 自动推进已关闭 \| maxSteps=2$/],
  },
  {
    what: 'a path that is no project',
    says: ['start project /no/such/folder', '开始项目 /no/such/folder'],
    outcome: { kind: 'bad_path' },
    reply: [/no project folder/, /项目路径不可用: \/no\/such/],
  },
  {
    what: 'project status',
    says: ['project status', '项目状态'],
    outcome: { kind: 'status', summary: { counts: { pending: 1, claimed: 1, done: 1, blocked: 1 } } },
    reply: [
      /^\[TASK\] Board \| 4 tasks \| 1 pending, 1 claimed, 1 done, 1 blocked/,
      /看板汇总 \| 总数4 \| 待处理1、已认领1、已完成1、阻塞1/,
    ],
  },
  {
    what: 'create project',
    says: ['create project Shop: build; debug', '创建项目 商店：搭建；排查'],
    outcome: { kind: 'project_created', count: 2 },
    reply: [/project created: Shop, 2 tasks/, /项目已创建: 商店，共 2 个任务。/],
  },
  {
    what: 'run',
    says: ['run', '运行'],
    outcome: { kind: 'dispatched', mode: 'manual', task: { taskId: 'T-001', owner: 'coder' } },
    reply: [/^\[CLAIM\] T-001 \| status=claimed/, /^\[CLAIM\] T-001 \| 状态=已认领 \| 指派=coder/],
  },
  {
    what: 'run what is done',
    says: ['run T-003', '运行 T-003'],
    outcome: { kind: 'already', move: 'done' },
    reply: [/^\[DONE\] T-003 is done already, nothing to repeat$/, /^\[DONE\] T-003 已完成，无需重复执行$/],
  },
  {
    what: 'run what is not there',
    says: ['run T-099', '运行 T-099'],
    outcome: { kind: 'refused', code: 'not_found' },
    reply: [/no task T-099/, /未找到任务 T-099/],
  },
  {
    what: 'status of one',
    says: ['status T-004', '状态 T-004'],
    outcome: { kind: 'task', task: { taskId: 'T-004', status: 'blocked' } },
    reply: [/T-004 \| status=blocked/, /T-004 \| 状态=阻塞/],
  },
  {
    what: 'status of what is not there',
    says: ['status T-099', '状态 T-099'],
    outcome: { kind: 'refused', code: 'not_found' },
    reply: [/T-099/, /未找到任务 T-099/],
  },
  { what: 'status of all', says: ['status all', '状态 全部'], outcome: { kind: 'status', full: true } },
  {
    what: 'dispatch',
    says: ['dispatch T-001 debugger: look at the log', '派发 T-001 debugger：看日志'],
    outcome: { kind: 'dispatched', agent: 'debugger', task: { owner: 'debugger' } },
  },
  {
    what: 'clarify',
    says: ['clarify T-001 coder: which colour?', '澄清 T-001 coder：什么颜色？'],
    outcome: { kind: 'clarified', role: 'coder' },
    reply: [/T-001 \| /, /^\[TASK\] T-001 \| 状态=澄清 \| 目标角色=coder$/],
  },
  {
    what: 'create',
    says: ['create task T-050: fix it', '创建任务 T-050：修好它'],
    outcome: { kind: 'moved', move: 'created', task: { taskId: 'T-050', assigneeHint: 'orchestrator' } },
    reply: [
      /^\[TASK\] T-050 \| status=pending/,
      /^\[TASK\] T-050 \| 状态=待处理 \| 建议负责人=orchestrator$/,
    ],
  },
  {
    what: 'claim',
    says: ['claim T-001', '认领 T-001'],
    as: 'ann',
    outcome: { move: 'claimed', task: { owner: 'ann' } },
    reply: [/^\[CLAIM\] T-001/, /^\[CLAIM\] T-001 \| 状态=已认领 \| 负责人=ann$/],
  },
  {
    what: 'done',
    says: [`done T-002: ${proof}`, '完成 T-002：测试全部通过，日志 out/test.log'],
    as: 'ann',
    outcome: { move: 'done' },
    reply: [/^\[DONE\] T-002/, /^\[DONE\] T-002 \| 状态=已完成 \| 负责人=ann$/],
  },
  {
    what: 'block',
    says: ['block T-001: no key', '阻塞 T-001：没有密钥'],
    outcome: { move: 'blocked' },
    reply: [/^\[BLOCKED\] T-001/, /^\[BLOCKED\] T-001 \| 状态=阻塞/],
  },
  {
    what: 'escalate',
    says: ['escalate T-001: no key', '升级 T-001：没有密钥'],
    outcome: { move: 'escalated', task: { relatedTo: 'T-001', assigneeHint: 'debugger' } },
    reply: [/^\[DIAG\] T-005/, /^\[DIAG\] T-005 \| 状态=待处理 \| 指派=debugger$/],
  },
  {
    what: 'synthesize',
    says: ['synthesize', '综合报告'],
    outcome: { kind: 'synthesis', report: expect.stringMatching(/- T-003 \[done\][^]*- T-004 \[blocked\]/) },
  },
  {
    what: 'a report of done',
    says: [
      `@orchestrator T-002 completed: ${proof}`,
      '@orchestrator T-002 已完成，证据: 日志 out/test.log，测试通过',
    ],
    as: 'ann',
    outcome: { move: 'done' },
  },
  {
    what: 'a report of trouble',
    says: ['@orchestrator T-002 is stuck, no access', '@orchestrator T-002 卡住了，没有权限'],
    as: 'ann',
    outcome: { move: 'blocked' },
  },
  {
    what: 'a report without a task',
    says: ['@orchestrator all of it is completed', '@orchestrator 全部已完成'],
    as: 'ann',
    outcome: { kind: 'report_without_id' },
    reply: [/names no task/, /收到汇报，但未识别到任务ID（例如 T-001）。/],
  },
  {
    what: 'anything else',
    says: ['statsu', '壮态'],
    outcome: { kind: 'unknown' },
    reply: [/not understood: statsu/, /没看懂: 壮态/],
  },
];

/** Kept open: twenty commands on files that are opened once. */
async function board(): Promise<BoardProject> {
  const at = new BoardProject();
  const close = await at.board.keepOpen();
  onTestFinished(close);
  for (const title of ['one', 'two', 'three', 'four']) await at.say(`create task: ${title}`);
  await at.say('claim T-002', 'ann');
  await at.say('claim T-003', 'ann');
  await at.say(`done T-003: ${proof}`, 'ann');
  await at.say('block T-004: no access');
  return at;
}

describe('a command', { timeout: 60_000 }, () => {
  it.each(rows)(
    '$what: does the same in both languages',
    async ({ says, as = 'orchestrator', outcome, reply }) => {
      for (const [at, text] of says.entries()) {
        const { board: here } = await board();
        const { signal } = new AbortController();
        const heard = await here.say({ text, sender: { actor: as, isBot: false }, signal });
        expect(heard.outcome, `to ${text}`).toMatchObject(outcome);
        expect(heard.reply.split('\n', 1)[0]).toMatch(reply?.[at] ?? /./);
      }
    },
  );

  it('of a bot that repeats our own messages is none', async () => {
    const { board: here } = await board();
    const { signal } = new AbortController();
    for (const text of ['[DONE] T-002 done', '@orchestrator [CLAIM] T-001'])
      expect(await here.say({ text, sender: { actor: 'coder', isBot: true }, signal })).toMatchObject({
        outcome: { kind: 'silent' },
        reply: '',
        events: [],
      });
  });
});
