import { clip } from '../../../../render/board/clip.ts';
import type { Locale } from '../intent.ts';
import { type Command, tail } from './command.ts';

const unnamed: Record<Locale, string> = {
  en: 'Unnamed project',
  zh: '未命名项目',
  ja: '無題のプロジェクト',
};
const most = 100;

/** `create project NAME: one; two; three`, the tasks also one per line. */
export const createProject: Command<'create_project'> = {
  read: (scanner, locale) => {
    const [first = '', ...lines] = scanner.rest().split('\n');
    const colon = first.search(/：|:(?![/\\])(?!(?<=\d:)\d)/);
    const name = clip(colon < 0 ? first : first.slice(0, colon), 80);
    const listed = colon < 0 ? lines : [first.slice(colon + 1), ...lines];
    const items = listed.flatMap((line) => line.split(/[;；]/)).map(bare);
    const named = items.filter((item) => item !== '');
    if ((name === '' && named.length === 0) || named.length > most) return undefined;
    return { intent: 'create_project', name: name === '' ? unnamed[locale] : name, items: named };
  },
  write: ({ name, items }, locale) =>
    `${name}${tail(items.length === 0 ? undefined : items.join(locale === 'en' ? '; ' : '；'), locale)}`,
  usage: () => 'NAME: …; …',
};

/** Without the bullet before it. By hand: a pattern would look at a long row of dashes again and again. */
function bare(item: string): string {
  const edge = new Set(' \t\u3000-–—*•');
  let start = 0;
  let end = item.length;
  while (start < end && edge.has(item.charAt(start))) start += 1;
  while (end > start && edge.has(item.charAt(end - 1))) end -= 1;
  return item.slice(start, end).trim();
}

const quotes = ['""', "''", '``', '“”', '‘’', '「」', '『』'];

/** `start project /path/to/it`. Whether the path is any good is not for us to say. */
export const startProject: Command<'start_project'> = {
  read: (scanner) => {
    scanner.colon();
    const path = unquoted(scanner.rest());
    return path === '' || path.includes('\n') ? undefined : { intent: 'start_project', path };
  },
  write: ({ path }) => (/^[:："'`“‘「『]/.test(path) ? `"${path}"` : path),
  usage: () => '/path/to/project',
};

function unquoted(path: string): string {
  const quoted = path.length > 1 && quotes.includes(path.charAt(0) + path.charAt(path.length - 1));
  return quoted ? path.slice(1, -1).trim() : path;
}
