import { DocketError } from '../../errors.ts';
import type { Args } from './parse.ts';

/** The value that counts when an option was given more than once. */
export function last({ options }: Args, name: string): string | undefined {
  return options.get(name)?.at(-1);
}

/** An option without which the command makes no sense. */
export function needed(args: Args, name: string, command: string): string {
  const value = last(args, name);
  if (value === undefined) throw usage(`docket ${command} needs --${name}`, `add --${name}`, command);
  return value;
}

/** A whole number between two others; undefined when it was not given. */
export function numberIn(
  args: Args,
  name: string,
  [least, most]: readonly [number, number],
  command: string,
): number | undefined {
  const text = last(args, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (value >= least && value <= most) return value;
  const range = most === Infinity ? `of ${least} or more` : `from ${least} to ${most}`;
  throw usage(`--${name} ${text} is not a number ${range}`, 'give another number', command);
}

export function usage(message: string, fix: string, command: string): DocketError {
  return new DocketError('USAGE', message, `${fix} (see docket ${command} --help)`);
}
