import { clip } from '../../../render/board/clip.ts';
import { wordFinder } from '../../../report/classify-words.ts';
import type { Locale } from './intent.ts';
import { readMarkdown } from './project-markdown.ts';

export interface Project {
  name: string;
  tasks: string[];
}

const mostTasks = 8;
const longestTask = 120;
const longestName = 80;

/** What a project begins with whose document names no milestone. */
const firstTasks: Record<Locale, readonly string[]> = {
  en: [
    'Write down the goal, the scope and how to tell that it is reached',
    'Build a first version that works',
    'Verify it and write down the result',
  ],
  zh: ['梳理目标、范围与验收标准', '实现第一个可用版本', '验证结果并整理交付说明'],
  ja: ['目標・範囲・受け入れ基準をまとめる', '動く最初の版を作る', '結果を検証してまとめる'],
};

/** What a project's document (PRD or README) says of its name and its milestones. */
export function projectFrom(document: string | undefined, folder: string, locale: Locale = 'zh'): Project {
  const { title = '', milestones } = readMarkdown(document ?? '');
  const seen = new Set<string>();
  const tasks = milestones
    .map((text) => clip(text, longestTask))
    .filter((text) => text !== '' && !seen.has(text.toLowerCase()) && seen.add(text.toLowerCase()));
  const name = [clip(title, longestName), clip(folder, longestName)].find((text) => text !== '');
  return {
    name: name ?? '未命名项目',
    tasks: tasks.length > 0 ? tasks.slice(0, mostTasks) : [...firstTasks[locale]],
  };
}

export interface Planned {
  title: string;
  assigneeHint: Role;
}

/** The board's tasks of a project. One without any has its own start as a task. */
export function plannedTasks(name: string, items: readonly string[]): Planned[] {
  const titles = items.length > 0 ? items : [`项目启动: ${name}`];
  return titles.map((item) => ({ title: `[${name}] ${item}`, assigneeHint: roleFor(item) }));
}

export type Role = 'coder' | 'debugger' | 'invest-analyst' | 'broadcaster';

const hints: readonly (readonly [Role, (text: string) => boolean])[] = [
  ['debugger', wordFinder(['debug', 'bug', '故障', '排查', '异常'])],
  ['invest-analyst', wordFinder(['调研', '分析', 'research', 'invest'])],
  ['broadcaster', wordFinder(['发布', '播报', '公告', 'broadcast', 'summary', '总结'])],
];

/** Who a task is likely for, by its words. */
export function roleFor(text: string): Role {
  return hints.find(([, names]) => names(text))?.[0] ?? 'coder';
}
