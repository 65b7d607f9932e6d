import { DocketError } from '../../../errors.ts';
import type { Spec } from '../../../task/schema.ts';
import type { Args } from './parse.ts';
import type { Source, World } from './world.ts';

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

const units = ['calls', 'tokens', 'money', 'seconds'] as const;

/** `--budget money=5,calls=20`: what one task may use. */
export function capsIn({ options }: Args): NonNullable<Spec['budget']> | undefined {
  const given = options.get('budget');
  if (given === undefined) return undefined;
  return Object.fromEntries(
    given.map((text) => {
      const [name = '', value = ''] = text.split('=');
      const unit = units.find((one) => one === name);
      const number = Number(value);
      const whole = unit !== 'calls' && unit !== 'tokens' ? true : Number.isInteger(number);
      if (unit && value.trim() !== '' && number > 0 && Number.isFinite(number) && whole)
        return [unit, number];
      throw new DocketError(
        'USAGE',
        `--budget ${text} is no cap`,
        `write UNIT=NUMBER with ${units.join(', ')}: --budget money=5,calls=20`,
        { value: text },
      );
    }),
  );
}

/** Who sits there, for the log. */
export function personIn(env: World['env']): string {
  const names = [env['USER'], env['LOGNAME'], env['USERNAME']].map((name) => name?.trim());
  return names.find((name) => name !== undefined && name !== '') ?? 'human';
}

const longestText = 16 * 1024 * 1024;

/** All of stdin as text. It must be UTF-8 and end some day: what a person meant is neither guessed nor cut. */
export async function readStdin(stdin: Source, maxBytes = longestText): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    size += bytes.length;
    if (size > maxBytes) {
      throw new DocketError('TOO_LARGE', `stdin is larger than ${maxBytes} bytes`, 'give a shorter text', {
        maxBytes,
      });
    }
    chunks.push(bytes);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    throw new DocketError('INVALID', 'stdin is not UTF-8 text', 'convert it to UTF-8 first', {}, { cause });
  }
}
