import type { Sink, World } from './world.ts';

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, magenta: 35, cyan: 36 } as const;
export type Color = keyof typeof codes | 'plain';
export type Paint = (color: Color, text: string) => string;

export function painter(on: boolean): Paint {
  if (!on) return (_color, text) => text;
  return (color, text) => (color === 'plain' ? text : `\u001B[${codes[color]}m${text}\u001B[0m`);
}

export function colorAllowed(sink: Sink, env: World['env'], noColor: boolean): boolean {
  if (noColor || sink.isTTY !== true || env['NO_COLOR'] || env['TERM'] === 'dumb') return false;
  return !env['CI'] || env['CI'] === 'false';
}

/** Columns of the terminal. What goes into a pipe or a file is not cut, unless COLUMNS is exported. */
export function columnsOf(sink: Sink, env: World['env']): number {
  if (sink.isTTY === true && sink.columns !== undefined && sink.columns > 0) return sink.columns;
  const exported = Number(env['COLUMNS']);
  if (Number.isInteger(exported) && exported > 0) return exported;
  return sink.isTTY === true ? 80 : Infinity;
}
