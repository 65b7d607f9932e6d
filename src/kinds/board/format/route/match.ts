import type { Intent, Locale } from '../intent.ts';
import { commands } from './commands.ts';
import { keywords, spoken } from './keywords.ts';
import { readNeedsBetween } from './needs.ts';
import { oneOf, type Scanner } from './scanner.ts';

interface Match {
  intent: Intent;
  /** The language of the keyword. */
  keyword: Locale;
}

const locales = ['en', 'zh', 'ja'] as const;

/** Every keyword with the pattern that finds it; longer ones first, as `提交` begins `提交复核`. */
const heads = spoken.map((name) => ({
  name,
  words: locales
    .flatMap((keyword) => keywords[name][keyword].map((word) => ({ keyword, word, pattern: oneOf([word]) })))
    .toSorted((a, b) => b.word.length - a.word.length),
}));

/** The first command that reads the whole message. */
export function match(scanner: Scanner, locale: Locale): Match | undefined {
  for (const { name, words } of heads) {
    for (const { keyword, pattern } of words) {
      scanner.at = 0;
      if (scanner.take(pattern) === undefined) continue;
      const intent = commands[name].read(scanner, locale);
      if (intent !== undefined) return { intent, keyword };
    }
  }
  scanner.at = 0;
  const intent = readNeedsBetween(scanner);
  return intent && { intent, keyword: locale };
}
