import { last } from '../args.ts';
import type { Args } from '../parse.ts';

const locales = ['en', 'zh', 'ja'] as const;

/** Who says it, and in which language they want to be answered. */
export function speaker(args: Args) {
  const wanted = last(args, 'locale');
  const locale = locales.find((one) => one === wanted);
  return { sender: { actor: last(args, 'as') ?? 'orchestrator', isBot: false }, ...(locale && { locale }) };
}
