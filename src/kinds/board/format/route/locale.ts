import type { Locale } from '../intent.ts';

/** The language of a text by its letters. A word that only Japanese has settles what Han letters leave open. */
export function localeOf(text: string, keyword?: Locale): Locale {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'ja';
  if (!/\p{Script=Han}/u.test(text)) return 'en';
  return keyword === 'ja' ? 'ja' : 'zh';
}
