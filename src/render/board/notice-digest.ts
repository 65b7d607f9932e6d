import { clip } from './clip.ts';
import { type Locale, type Words, wordsOf } from './words.ts';

export interface NoticeHead {
  tag: string;
  taskId?: string;
}

const shownIds = 8;

/** What a notice is about, from its first line. */
export function readHead(text: string): NoticeHead | undefined {
  const [, tag, taskId] = /^(\[[A-Z]{1,12}\])(?: ([\w-]{1,128})(?= \|| |$))?/.exec(text.slice(0, 200)) ?? [];
  if (tag === undefined) return undefined;
  return taskId === undefined ? { tag } : { tag, taskId };
}

/** One message in place of many: how much of what, and which tasks. */
export function digestNotice(heads: readonly NoticeHead[], locale: Locale = 'zh'): string {
  const words = wordsOf(locale);
  const tags = [...new Set(heads.map(({ tag }) => tag))];
  const counts = tags.map((tag) => {
    const count = heads.filter((head) => head.tag === tag).length;
    return words.summary.count(words.kinds[tag] ?? clip(tag, 20), count);
  });
  const listed = tags.map((tag) => idsOf(tag, heads, words)).filter((line) => line !== '');
  const head = `[TASK] ${words.digest(heads.length)} | ${counts.join(words.comma)}`;
  return listed.length === 0 ? head : `${head}\n${clip(listed.join(words.summary.between), 400)}`;
}

function idsOf(tag: string, heads: readonly NoticeHead[], words: Words): string {
  const ids = new Set(heads.flatMap((head) => (head.tag === tag ? (head.taskId ?? []) : [])));
  if (ids.size === 0) return '';
  const more = ids.size > shownIds ? [words.more(ids.size - shownIds)] : [];
  return `${clip(tag, 20)} ${[...[...ids].slice(0, shownIds), ...more].join(words.comma)}`;
}
