import type { Locale } from './format/intent.ts';
import type { Route } from './format/route/route.ts';

/** What is kept of a text, whole; what is shown of it is much shorter. */
const longestText = 20_000;
const longestName = 256;

/** Why a text or a name is not taken, if it is not: nothing is cut in silence. */
export function tooLong({ intent, actor, overrideAgent = '' }: Route, locale: Locale): string | undefined {
  if (intent.intent === 'unknown' || intent.intent === 'ignored_loop') return undefined;
  if (Math.max(actor.length, overrideAgent.length) > longestName) return names[locale];
  const texts = Object.values(intent).flatMap((value: unknown) => (Array.isArray(value) ? value : [value]));
  const longest = Math.max(...texts.map((text: unknown) => (typeof text === 'string' ? text.length : 0)));
  return longest > longestText ? sentences[locale](longest) : undefined;
}

const names: Record<Locale, string> = {
  en: `a name may have ${longestName} characters`,
  zh: `名称最多 ${longestName} 个字符`,
  ja: `名前は ${longestName} 文字までです`,
};

const sentences: Record<Locale, (length: number) => string> = {
  en: (length) =>
    `the text has ${length} characters, and ${longestText} are kept; put it into a file and name that`,
  zh: (length) => `文本有 ${length} 个字符，最多保留 ${longestText} 个；请放进文件并写明文件名`,
  ja: (length) =>
    `本文が ${length} 文字あります（上限 ${longestText}）。ファイルに入れて名前を書いてください`,
};
