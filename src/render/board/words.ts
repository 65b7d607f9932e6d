import { en } from './words-en.ts';
import { ja } from './words-ja.ts';
import { zh } from './words-zh.ts';

export const locales = ['en', 'zh', 'ja'] as const;
export type Locale = (typeof locales)[number];
export type Words = typeof en;

const all: Record<Locale, Words> = { en, zh, ja };

export function wordsOf(locale: Locale): Words {
  return all[locale];
}

type Verb = keyof Words['verbs'];

/** What can be asked for by a keyword, in the order of matching: the first that reads the whole message wins. */
export type Spoken = Exclude<Verb, 'report'>;
export const spoken = Object.keys(en.verbs).filter((name): name is Spoken => name !== 'report');

/** What to write to ask for it; undefined: nothing asks for that. */
export function verbFor(intent: string, { verbs }: Words): string | undefined {
  return Object.hasOwn(verbs, intent) ? verbs[intent as Verb][0] : undefined;
}

export function keywordsOf(name: Spoken): string[] {
  return locales.flatMap((locale) => all[locale].verbs[name]);
}
