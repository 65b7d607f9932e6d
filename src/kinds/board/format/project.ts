import { clip } from '../../../render/board/clip.ts';
import { wordFinder } from '../../../report/classify-words.ts';
import type { Locale } from './intent.ts';

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

/** What is longer is no document about a project, and no line of one. */
const longestDocument = 1_048_576;
const longestLine = 2000;

const heading = /^ {0,3}(#{1,6})[ \t]+(.*)$/;
const bullet = /^\s*(?:[-*+•]|\d{1,9}[.)])\s+(.*)$/;
const box = /^\[([ xX])\]\s+/;
const numbered = /^M\d{1,4}\s*[:：]/i;
const aboutMilestones = /里程碑|milestone|マイルストーン/i;

/** The title of a document, and its milestones: points `M1: …` anywhere, and all points below a heading that says so. */
function readMarkdown(document: string): { title?: string; milestones: string[] } {
  const milestones: string[] = [];
  let title: string | undefined;
  /** The level of the heading about milestones that we are below. */
  let below = Infinity;
  for (const line of proseOf(document)) {
    const [, marks, words = ''] = heading.exec(line) ?? [];
    if (marks !== undefined) {
      const text = plain(words.replace(/[ \t]#+[ \t]*$/, ''));
      if (marks.length === 1) title ??= text;
      if (aboutMilestones.test(text)) below = Math.min(below, marks.length);
      else if (marks.length <= below) below = Infinity;
      continue;
    }
    const point = bullet.exec(line)?.[1];
    // What is ticked off needs no task.
    if (point === undefined || box.exec(point)?.[1]?.toLowerCase() === 'x') continue;
    const text = plain(point.replace(box, ''));
    if (below < Infinity || numbered.test(text)) milestones.push(text);
  }
  return { ...(title !== undefined && { title }), milestones };
}

/** Its lines without code, and without the settings that some tools put on top. */
function proseOf(document: string): string[] {
  const text = document.slice(0, longestDocument).replace(/^\uFEFF/, '');
  const lines = text.split(/\r?\n/).map((line) => line.slice(0, longestLine));
  const settings = lines[0] === '---' ? lines.indexOf('---', 1) : -1;
  let fence: string | undefined;
  return lines.slice(settings + 1).filter((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark === undefined) return fence === undefined;
    if (fence === undefined) fence = mark;
    else if (mark.startsWith(fence)) fence = undefined;
    return false;
  });
}

function plain(text: string): string {
  return text
    .replaceAll(/!?\[([^[\]]{0,300})\]\([^()]{0,1000}\)/g, '$1')
    .replaceAll(/\*\*|`/g, '')
    .trim();
}
