import { entries } from '../../../../src/surfaces/cli/frame/commands.ts';
import type { Place } from '../errors/place.ts';
import { wordsOf } from '../errors/words.ts';
import { inFolder } from '../real-world.ts';
import { faultsOf, streamsOf } from './held.ts';
import type { Line } from './story.ts';

/** The longest first: `agents try` is no `agents`. */
const names = entries.map(({ name }) => name).toSorted((a, b) => b.length - a.length);

export function commandOf(line: string): string {
  return names.find((name) => `${line} `.startsWith(`${name} `)) ?? '';
}

/** Runs a line with --json, and says what is wrong with what it prints. */
export async function told(place: Place, one: Line): Promise<string[]> {
  const { line, code = 0, env, until } = one;
  const stop = new AbortController();
  let said = '';
  const ended = await inFolder(place.root, [...wordsOf(place.filled(line)), '--json'], {
    stop: stop.signal,
    ...(env && { env }),
    onOutput: (text) => {
      said += text;
      if (until !== undefined && said.includes(until)) stop.abort();
    },
  });
  const values = valuesIn(ended.stdout);
  const last = values.at(-1) as Record<string, unknown> | undefined;
  keep(place, one, last);
  const command = commandOf(line);
  const isOne = streamsOf(command) !== undefined || values.length === 1;
  return [
    ...(ended.code === code ? [] : [`exit code ${ended.code}: ${ended.stdout.slice(-600)}${ended.stderr}`]),
    ...(isOne ? [] : [`${values.length} values instead of one`]),
    ...((last?.['ok'] === false) === (code !== 0)
      ? []
      : [`exit code ${code} with ok: ${String(last?.['ok'])}`]),
    ...values.flatMap((value) => faultsOf(command, value)),
  ].map((fault) => `${line}: ${fault}`);
}

function valuesIn(stdout: string): unknown[] {
  return stdout
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => JSON.parse(text) as unknown);
}

function keep(place: Place, { keeps }: Line, answer: unknown): void {
  if (keeps === undefined) return;
  const { name, field } = typeof keeps === 'string' ? { name: keeps, field: 'id' } : keeps;
  const found = field
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], answer);
  place.names.set(name, String(found));
}
