import type { Intent, Locale } from '../intent.ts';

/** What can be asked for by a keyword. The first word of each language is the one that we write ourselves. */
export type Spoken = Exclude<Intent['intent'], 'report' | 'ignored_loop' | 'unknown'>;

/** In the order of matching: the first that reads the whole message wins. */
export const keywords: Readonly<Record<Spoken, Readonly<Record<Locale, readonly string[]>>>> = {
  help: { en: ['help', '?', 'commands'], zh: ['帮助', '命令'], ja: ['ヘルプ', '使い方'] },
  auto_progress: {
    en: ['auto progress', 'auto_progress', 'auto-progress', 'autoprogress'],
    zh: ['自动推进'],
    ja: ['自動推進', '自動進行'],
  },
  start_project: { en: ['start project'], zh: ['开始项目', '启动项目'], ja: ['プロジェクト開始'] },
  create_project: {
    en: ['create project', 'new project'],
    zh: ['创建项目', '新建项目'],
    ja: ['プロジェクト作成'],
  },
  run: { en: ['run'], zh: ['运行', '执行'], ja: ['実行'] },
  autopilot: { en: ['autopilot'], zh: ['自动驾驶', '自动执行'], ja: ['オートパイロット', '自動操縦'] },
  status: {
    en: ['status', 'project status'],
    zh: ['状态', '项目状态', '看板'],
    ja: ['状態', '状況', 'ステータス', 'プロジェクト状態'],
  },
  dispatch: { en: ['dispatch'], zh: ['派发', '分派'], ja: ['割り当て', '割当'] },
  clarify: { en: ['clarify'], zh: ['澄清', '追问'], ja: ['質問', '確認'] },
  claim_task: { en: ['claim task', 'claim'], zh: ['认领', '领取'], ja: ['担当', '引き受け'] },
  mark_done: { en: ['mark done', 'done', 'complete'], zh: ['完成', '标记完成'], ja: ['完了'] },
  block_task: { en: ['block task', 'block', 'blocked'], zh: ['阻塞', '卡住'], ja: ['ブロック'] },
  escalate_task: {
    en: ['escalate task', 'escalate'],
    zh: ['升级', '上报'],
    ja: ['エスカレーション', 'エスカレート'],
  },
  create_task: {
    en: ['create task', 'new task', 'add task'],
    zh: ['创建任务', '新建任务', '添加任务'],
    ja: ['タスク作成', '作成', 'タスク追加'],
  },
  unblock_task: {
    en: ['unblock task', 'unblock'],
    zh: ['解除阻塞', '取消阻塞'],
    ja: ['ブロック解除', '解除'],
  },
  reopen_task: {
    en: ['reopen task', 'reopen', 're-open'],
    zh: ['重新打开', '重开'],
    ja: ['再開', '再オープン'],
  },
  fail_task: { en: ['fail task', 'fail', 'mark failed'], zh: ['标记失败', '失败'], ja: ['失敗'] },
  cancel_task: { en: ['cancel task', 'cancel'], zh: ['取消'], ja: ['キャンセル', '中止'] },
  submit_review: {
    en: ['submit', 'submit for review', 'request review', 'review'],
    zh: ['提交复核', '提交评审', '送审', '提交'],
    ja: ['レビュー依頼', '提出'],
  },
  approve_review: { en: ['approve'], zh: ['批准', '复核通过', '通过'], ja: ['承認'] },
  request_changes: {
    en: ['request changes', 'reject'],
    zh: ['要求修改', '请求修改', '退回', '打回'],
    ja: ['修正依頼', '差し戻し'],
  },
  add_needs: { en: ['needs', 'depends'], zh: ['依赖'], ja: ['依存'] },
  synthesize: {
    en: ['synthesize', 'synthesise', 'synthesis'],
    zh: ['综合报告', '综合', '汇总'],
    ja: ['まとめ', '統合'],
  },
};

export const spoken = Object.keys(keywords) as Spoken[];

/** The words with which we ask for something ourselves. */
export function phrase(name: Spoken, locale: Locale): string {
  return keywords[name][locale][0] ?? name;
}
