import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifyText, type Progress } from '../../src/report/classify-text.ts';

const said: Record<Progress, string[]> = {
  done: [
    '@orchestrator T-001 已完成，证据: logs/run.txt',
    'T-001 done, see logs/out.txt',
    '0 failed, all completed',
    'T-001: completed. 12 passed, 0 failed, no errors',
    'Finished. Nothing blocked, no failures.',
    '[DONE] T-001',
    'T-001 [DONE] see https://ci.example.com/1',
    'T-001 登录功能完成，测试全部通过',
    'T-001 会议纪要完成',
    'T-001 完成后端开发',
    'T-001 失败 0，全部完成',
    'T-001 失败：0 个，已完成',
    'T-001 没有失败，任务已完成',
    '之前的失败已修复，任务已完成',
    '修复了无法登录的问题，已完成',
    'T-001 阻塞已解除，任务完成',
    'Fixed the failing test; everything is done',
    'It was blocked by auth earlier, now done.',
    'T-001 不仅完成了接口，文档也搞定了',
    'T-001 完了しました。ログ: out/run.log',
    'T-001 完了しています',
    '失敗なし、テスト完了です',
    'T-001 100% done',
    '5/5 done',
    'T-001 已完成，正在等待复核',
    'T-001 verified: the endpoint answers',
    '<at user_id="ou_1">orchestrator</at> T-001 ｄｏｎｅ！',
    'done: the list of blocked tasks is red now',
    '非阻塞 IO 已完成',
    'Done. No tests fail.',
    'Done, and none of the tests fail',
    'Done. If the tests fail for you, tell me.',
    '之前测试没有通过，现在已完成',
    '已完成，没有发现测试未通过的情况',
  ],
  blocked: [
    'T-001 blocked by missing key',
    'T-001 is stuck: no access',
    '[BLOCKED] T-001 done',
    'Completed parsing but blocked on auth',
    'T-001 卡住了，缺少权限',
    'T-001 部分完成，但被阻塞',
    '在处理登录时卡住了',
    'T-001 无法继续',
    'T-001 无法访问数据库，需要权限',
    'I cannot proceed without the token',
    'T-001 build failed with exit 1',
    'T-001 构建失败',
    '3 tests failed',
    'T-001 ブロックされています',
    'T-001 これ以上進められません',
    'デプロイに失敗しました',
  ],
  progress: [
    '',
    'not done yet',
    "T-001 isn't done",
    'T-001 has not been fully completed',
    "I haven't finished",
    '80% done',
    'almost done',
    'half done',
    '3/5 done',
    '3 of 5 subtasks completed',
    'will be done tomorrow',
    'should be completed by Friday',
    'to be done',
    'I will tell you when it is done',
    'once the review is completed I go on',
    'Done so far: the parser',
    'Is T-001 done?',
    'T-001 完成了吗？',
    'T-001 尚未完成',
    'T-001 还没有完成',
    'T-001 未能按时完成',
    'T-001 部分完成',
    'T-001 基本完成',
    'T-001 预计明天完成',
    'T-001 即将完成',
    'T-001 完成后通知你',
    'T-001 完成 80%',
    'T-001 完成度：60%',
    'T-001 需要完成文档',
    '正在通过日志排查',
    'T-001 测试未通过',
    'T-001 完了していません',
    'T-001 まだ完了していない',
    'T-001 は明日完了予定',
    'T-001 ほぼ完了',
    'done, 3 tests failed',
    'T-001 completed step 1, still working on step 2',
    'T-001 已完成接口，正在写文档',
    'looking into the error in done-checker',
    'I am fixing the failed tests',
    'not blocked, going on',
    'T-001 不再阻塞，继续开发',
    'see docs/done.md and /tmp/blocked/x',
    'see https://example.com/done',
    'undone, unfinished, abandoned',
    'blocker: none; reading the code',
    'Done. The tests do not pass yet.',
    'done, but the tests fail',
    'Completed; the build is not green',
    '已完成，但测试没有通过',
    'T-001 已完成，测试未全部通过',
    '完了しました。テストはまだ通っていません',
  ],
};

const rows = Object.entries(said).flatMap(([kind, texts]) => texts.map((text) => [text, kind] as const));

/** A "not" counts for its own clause, and for what it stands before. */
const negated: Record<'blocked' | 'free', string[]> = {
  blocked: [
    '阻塞：没有权限',
    'T-13 阻塞：没有权限',
    'T-13 阻塞: 无权限访问仓库',
    '没有权限，阻塞',
    '没有权限，被阻塞了',
    '阻塞，没有测试环境',
    '未完成，因为阻塞',
    '没有完成因为被卡住了',
    '不能继续：没有密钥',
    '没法推进，没有权限',
    '失败：没有权限',
    '报错：没有找到配置文件',
    'no permission, blocked',
    'no permission so blocked',
    'Blocked: no permission',
    'blocked: none of the keys work',
    'Blocked: 0 of 3 keys work',
    'not done because blocked by auth',
    'not only slow but blocked',
    'I am stuck, no idea why',
    'ブロック：権限がない',
    '権限がないため、ブロックされています',
    'T-1 ブロック中です。権限がありません',
    '完了していません。ブロックされています',
  ],
  free: [
    '没有阻塞',
    '没有阻塞，继续开发',
    '没有任何阻塞',
    '没有遇到阻塞',
    '目前没有出现任何阻塞',
    '未被阻塞',
    '不再被阻塞',
    '不存在阻塞',
    '无阻塞',
    '阻塞：无',
    '阻塞：没有',
    '阻塞：没有。',
    '阻塞已经不存在',
    '没有失败',
    '没有任何失败',
    '没有发现失败的用例',
    '失败：无',
    'not blocked any more',
    'It is not blocked any more, going on with the parser',
    'no longer blocked',
    'nothing is blocked',
    'We are not stuck',
    'blockers: none',
    'Blocked: none.',
    'tests do not fail',
    'the tests no longer fail',
    'no test failed',
    'did not get stuck anywhere',
    'ブロックされていません',
    'もうブロックされていません',
    'ブロックされなくなりました',
    'ブロック中ではありません',
    'テストは失敗していません',
    '失敗はありません',
    'ブロック：なし',
  ],
};

describe('a negation', () => {
  test.each(negated.blocked)('of something else leaves a block one: %s', (text) => {
    expect(classifyText(text)).toBe('blocked');
  });

  test.each(negated.free)('takes back the block that it is about: %s', (text) => {
    expect(classifyText(text)).toBe('progress');
  });

  test.each(negated.free)('and what is said to be done beside it counts: %s', (text) => {
    const done = /[぀-ヿ]/u.test(text)
      ? '作業は完了しました。'
      : /[一-龥]/u.test(text)
        ? '任务已完成。'
        : 'It is done. ';
    expect(classifyText(`${done}${text}`)).toBe('done');
  });
});

describe('what a report in free words says', () => {
  test.each(rows)('%j is %s', (text, kind) => {
    expect(classifyText(text)).toBe(kind);
  });

  test('the words of the title say nothing', () => {
    const title = 'Show blocked logins';
    expect(classifyText(`T-001 ${title}: working on it`, { title })).toBe('progress');
    expect(classifyText(`T-001 "${title}" 已完成`, { title })).toBe('done');
  });

  test('any text is answered, long ones too', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => classifyText(text) !== undefined));
    const parts = ['done ', 'not ', '完成', '未', 'a-', '/a', '0 failed', '<at ', '失败 ', ' ', '\n'];
    for (const part of parts) {
      expect(['done', 'blocked', 'progress']).toContain(classifyText(part.repeat(300_000)));
    }
  });
});
