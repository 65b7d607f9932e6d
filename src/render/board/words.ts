import { en } from './words-en.ts';
import { ja } from './words-ja.ts';
import type { Locale, Words } from './words-type.ts';
import { zh } from './words-zh.ts';

const all: Record<Locale, Words> = { en, zh, ja };

export function wordsOf(locale: Locale): Words {
  return all[locale];
}
