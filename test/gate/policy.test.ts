import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judge, judgeCommands, verifyCommandsOf, type Policy } from '../../src/gate/policy.ts';
import type { Report } from '../../src/report/schema.ts';

const policy: Policy = {
  global: { requireEvidence: true },
  roles: {
    coder: { requireAny: ['test', 'pytest', '验证', '通过', '日志', 'log', '输出', 'result'] },
    debugger: { requireAny: ['日志', 'log', 'error', '异常', '复现', 'stack', 'trace'] },
    broadcaster: { requireAny: ['公告', '发布', 'summary', 'broadcast', '同步'] },
    tester: { requiredEvidence: ['url', 'command'], verifyCommands: ['npm test', 'npm run lint'] },
  },
};
const lax: Policy = { ...policy, global: { requireEvidence: false } };

type Parts = Partial<Pick<Report, 'summary' | 'changes' | 'evidence'>>;
const report = (parts: string | Parts) => ({
  summary: '',
  changes: [],
  evidence: [],
  ...(typeof parts === 'string' ? { summary: parts } : parts),
});
const told = (parts: string | Parts, role = 'someone', by = policy) =>
  judge(by, role, report(parts)).reasonCode;

describe('evidence', () => {
  test.each<[string, string | Parts]>([
    ['a path', 'fixed, see src/login.ts'],
    ['a path with a line', 'src/login.ts:42 is fixed'],
    ['a path beside Han', '日志在logs/run.txt里'],
    ['a path of Han', '见 文档/需求.md'],
    ['an absolute path', 'written to /var/tmp/report'],
    ['a path in the home', '~/out'],
    ['a path of Windows', String.raw`C:\temp\run`],
    ['a file', '输出保存为 result.json'],
    ['an address', 'https://ci.example.com/run/7'],
    ['an address in brackets', '链接（https://ci.example.com/run/7）'],
    ['the outcome of tests', '12 passed, 0 failed'],
    ['the outcome of tests in Chinese', '15 个用例全部通过'],
    ['the outcome of tests as a fraction', '12/12 通过'],
    ['an exit code', 'the build ended with exit code 0'],
    ['a command', '`npm test` is green'],
    ['a prompt', 'I ran this:\n$ make check\nok'],
    ['a fence', 'Output:\n```\nall fine\n```'],
    ['a commit', 'pushed as commit 3f2a91c'],
    ['a line of a log', '2026-02-01T10:00:00Z server started'],
    ['a level', 'I see: INFO: listening on port 80'],
    ['an excerpt', '日志：连接成功，耗时三毫秒'],
    ['a stack', 'it says\n  at run (/app/a.js:3:1)'],
    ['a changed file', { changes: ['src/a.ts: checks the name'] }],
    ['a changed file without an extension', { changes: ['Makefile: a new target'] }],
    ['a file entry', { evidence: [{ kind: 'file', ref: 'Makefile' }] }],
    ['a command entry', { evidence: [{ kind: 'command', ref: 'make check' }] }],
    ['a text entry with a command', { evidence: [{ kind: 'text', ref: 'npm test: all green' }] }],
    ['a url entry', { evidence: [{ kind: 'url', ref: 'http://localhost:3000/x' }] }],
    ['a text entry that shows something', { evidence: [{ kind: 'text', ref: '3 passed' }] }],
    ['a note that shows something', { evidence: [{ kind: 'text', ref: 'ci', note: 'https://a.b/c' }] }],
    ['what is done beside what comes next', 'fixed src/a.ts, next I will deploy'],
    ['a path with a word for later in it', 'see docs/next/plan.md'],
  ])('%s', (_, parts) => {
    expect(told(parts)).toBe('accepted');
  });

  test.each<[string, string | Parts]>([
    ['nothing', ''],
    ['a claim', 'it works, I tested it'],
    ['words that have log in them', 'the catalog and the blogger login dialog'],
    ['the bare words for it', '已完成，有日志和截图'],
    ['the form that was sent', 'T-001 已完成，证据: 日志/截图/链接'],
    ['an empty label', '日志：无'],
    ['a choice', 'yes/no, and/or, TCP/IP, 24/7, w/o'],
    ['a slash command', 'use /help'],
    ['a price', '$ 5 is what it costs'],
    ['names of tools', 'Node.js and Next.js v1.2, e.g. this'],
    ['the word http', 'it speaks http now, https:// too'],
    ['a key of JSON', '{"result": true, "log": 1, "output": "ok"}'],
    ['a word as an address', { evidence: [{ kind: 'url', ref: 'the site' }] }],
    ['a sentence as a file', { evidence: [{ kind: 'file', ref: 'some file somewhere' }] }],
    ['a claim in the list', { evidence: [{ kind: 'text', ref: 'works on my machine' }] }],
    ['a claim as a change', { changes: ['fixed it all', 'fix: the login', 'done'] }],
    ['what comes next', '接下来我会修改 src/a.ts'],
    ['what will be', 'I will put the log into logs/run.txt'],
  ])('is not %s', (_, parts) => {
    expect(told(parts)).toBe('missing_evidence');
  });

  test('is told with the verdict', () => {
    const { evidence } = judge(policy, 'x', report({ summary: 'see a.md', changes: ['src/b.ts: c'] }));
    expect(evidence).toEqual(['file: src/b.ts', 'file: a.md']);
  });

  test('of given kinds can be asked for', () => {
    const verdict = judge(policy, 'tester', report('see a.md, https://a.b/c'));
    expect(verdict).toMatchObject({ ok: false, reasonCode: 'missing_evidence', missing: ['command'] });
    expect(told('https://a.b/c 12 passed', 'tester')).toBe('accepted');
    expect(told('no', 'tester', lax)).toBe('missing_evidence');
  });
});

describe('the words of a role', () => {
  const at = (text: string, role: string) =>
    told({ summary: text, evidence: [{ kind: 'file', ref: 'a.md' }] }, role);

  test.each([
    ['coder', 'all tests are green'],
    ['coder', 'Tested by hand'],
    ['coder', '运行pytest后正常'],
    ['coder', '已验证'],
    ['coder', 'see run.log'],
    ['debugger', 'no error any more'],
    ['debugger', '无异常'],
    ['debugger', 'logged it'],
    ['broadcaster', '已发布'],
    ['orchestrator', 'anything'],
    ['ou_1234', 'anything'],
    ['Coder', 'a test'],
  ])('%s may say %j', (role, text) => {
    expect(at(text, role)).toBe('accepted');
  });

  test.each([
    ['coder', 'the catalog is ready'],
    ['coder', 'the latest contest'],
    ['coder', 'not tested'],
    ['coder', '未验证'],
    ['coder', 'the protest'],
    ['debugger', 'the blogger and the terrorist'],
    ['debugger', '没有日志'],
    ['broadcaster', 'done'],
    ['CODER', 'done'],
  ])('%s may not say only %j', (role, text) => {
    expect(at(text, role)).toBe('role_policy_missing_keyword');
  });

  test('may stand in any field, and never in a key', () => {
    expect(told({ summary: 'x', evidence: [{ kind: 'command', ref: 'npm test' }] }, 'coder')).toBe(
      'accepted',
    );
    expect(told({ summary: 'x', changes: ['test/a.ts: y'] }, 'coder')).toBe('accepted');
    const raw = { summary: 'x', evidence: [{ kind: 'file' as const, ref: 'a.md' }], result: 'ok', log: 'y' };
    expect(told(raw, 'coder')).toBe('role_policy_missing_keyword');
  });

  test('are told, the first six of them, in three languages', () => {
    const { reason, missing } = judge(policy, 'coder', report('see a.md'));
    expect(missing).toHaveLength(8);
    expect(reason.zh).toBe('coder 交付缺少验收关键词（至少包含其一：test, pytest, 验证, 通过, 日志, log）。');
    expect(reason.en).toContain('coder must name');
    expect(reason.ja).toContain('coder');
  });

  test('of names that JavaScript has taken are none', () => {
    expect(told('see a.md', 'constructor')).toBe('accepted');
    expect(told('see a.md', '__proto__')).toBe('accepted');
  });
});

describe('without evidence', () => {
  test('plans are no result', () => {
    expect(told('接下来准备测试', 'x', lax)).toBe('stage_only');
    expect(told('I am going to fix it', 'x', lax)).toBe('stage_only');
    expect(told('it is fixed', 'x', lax)).toBe('accepted');
    expect(judge(lax, 'x', report('下一步')).reason.zh).toBe('仅包含阶段性描述，未给出最终验收结果。');
  });
});

describe('commands', () => {
  const so = judge(policy, 'tester', report('https://a.b/c 12 passed'));
  const commands = verifyCommandsOf(policy, 'tester');
  const ended = (command: string, code: number) => ({ command, code, output: '', timedOut: code === 124 });

  test('all of them must have run well', () => {
    expect(
      judgeCommands(
        so,
        commands,
        commands.map((command) => ended(command, 0)),
      ),
    ).toEqual(so);
    const verdict = judgeCommands(so, commands, [ended('npm test', 2), ended('npm run lint', 124)]);
    expect(verdict).toMatchObject({ ok: false, reasonCode: 'verify_failed', missing: commands });
    expect(verdict.reason.en).toBe('a check failed: npm test (exit 2), npm run lint (took too long).');
    expect(judgeCommands(so, commands, [ended('npm test', 0)]).missing).toEqual(['npm run lint']);
    expect(judgeCommands(so, commands, []).ok).toBe(false);
  });

  test('there are none for a role that has none', () => {
    expect(verifyCommandsOf(policy, 'coder')).toEqual([]);
    expect(verifyCommandsOf(policy, 'toString')).toEqual([]);
  });
});

test('any report is judged, a long one too', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (summary, role) => {
      const { ok, missing } = judge(policy, role, report(summary));
      expect(typeof ok).toBe('boolean');
      expect(missing.length).toBeLessThan(10);
    }),
  );
  for (const part of [
    '/a',
    'a/',
    '. ',
    '`npm ',
    '```\n',
    'a.',
    '1 ',
    'log: ',
    'https://',
    'not ',
    '未',
    '\n',
  ])
    expect(typeof judge(policy, 'coder', report(part.repeat(300_000))).ok).toBe('boolean');
});

describe('evidence that is named', () => {
  const isThere = (file: string): boolean => file === 'out/test.log';
  const verdict = (role: string, summary: string) => {
    const { ok, reasonCode, reason } = judge(policy, role, { summary, changes: [], evidence: [] }, isThere);
    return { ok, reasonCode, reason };
  };

  test.each([
    'tests pass, log in out/test.log',
    'tests pass, log: out/test.log',
    'pytest log',
    'all tests pass, see the pytest log',
    '测试日志',
    '已完成，证据: 日志',
    '测试通过，证据：截图',
    '测试通过，见截图',
    'test passed, evidence: screenshot',
    'tests pass: http://x/y',
    'tests pass, http://localhost:8080/report',
    '链接 http://ci/1，测试通过',
    'テストのログ: 完了。証拠: スクリーンショット、テスト出力',
    'tests pass, log in out/gone.log and out/test.log',
    '12 tests passed, see out/gone.log',
  ])('counts: %s', (summary) => {
    expect(verdict('orchestrator', summary)).toMatchObject({ ok: true });
  });

  test.each([
    'tests pass, log in out/gone.log',
    'tests pass, log: out/gone.log',
    '测试通过，日志 out/gone.log',
  ])('does not count where the file is not there: %s', (summary) => {
    const { ok, reasonCode, reason } = verdict('coder', summary);
    expect([ok, reasonCode]).toEqual([false, 'missing_evidence']);
    for (const words of Object.values(reason)) expect(words).toContain('out/gone.log');
  });

  test.each([
    '已完成，证据: 日志/截图/链接',
    'done, evidence: log/screenshot/link',
    '完了しました。証拠: ログ/スクリーンショット/リンク',
    '没有截图',
    'no test log',
    'I will send the pytest log next',
    '证据: 无',
    'done, evidence: none',
    'looks fine',
    'the catalog is done',
  ])('does not count where nothing is shown: %s', (summary) => {
    const { ok, reason } = verdict('orchestrator', summary);
    expect([ok, reason.zh]).toEqual([false, '缺少可验证证据（文件/日志/链接/命令输出）。']);
  });
});
