import type { Context } from '../context.ts';
import { columnsOf } from '../style.ts';
import { cut } from '../width.ts';

/** Writes one line over and over; undefined where nobody watches a terminal that can do that. */
export function liveLine({ world, globals }: Context): ((text: string) => void) | undefined {
  const { stderr, env } = world;
  if (globals.quiet || globals.json || stderr.isTTY !== true) return undefined;
  if (env['TERM'] === 'dumb' || (env['CI'] && env['CI'] !== 'false')) return undefined;
  return (text) => stderr.write(`\r\u001B[K${cut(text, columnsOf(stderr, env) - 1)}`);
}
