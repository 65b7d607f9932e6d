import { last } from '../args.ts';
import type { Args } from '../parse.ts';
import type { World } from '../world.ts';

const locales = ['en', 'zh', 'ja'] as const;

/** Who says it, and in which language they want to be answered. */
export function speaker(args: Args) {
  const wanted = last(args, 'locale');
  const locale = locales.find((one) => one === wanted);
  return { sender: { actor: last(args, 'as') ?? 'orchestrator', isBot: false }, ...(locale && { locale }) };
}

/** The language of the person at the terminal; that of what docket says elsewhere, where theirs is not spoken. */
export function ownLocale(env: World['env']): (typeof locales)[number] {
  const set = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '';
  return locales.find((one) => set.toLowerCase().startsWith(one)) ?? 'en';
}
