import { describe, expect, it } from 'vitest';
import type { Command, Option } from '../../../../src/surfaces/cli/frame/command.ts';
import { commands } from '../all-commands.ts';
import { docket, json } from '../fake-world.ts';
import { faultsIn, type Told } from './standard.ts';

/** A line, and what its message has to name. */
type Wrong = [line: string[], names: string];

/** What the table of commands lets everybody do wrong. */
function wrongLines(command: Command): Wrong[] {
  const { name, operand, options } = command;
  const words = name.split(' ');
  const [first = 'a'] = operand?.kind === 'oneOf' ? operand.words : [];
  const times = (count: number): string[] => Array.from({ length: count }, () => first);
  const whole = [...words, ...times(operand?.min ?? 0)];
  const lines: Wrong[] = options.flatMap((option) =>
    wrongUses(option).map((use): Wrong => [[...whole, use], `--${option.name}`]),
  );
  if (!command.lenient) lines.push([[...whole, '--nonsense'], '--nonsense']);
  if (operand && operand.min > 0) lines.push([words, `docket ${name}`]);
  const most = operand?.max ?? 0;
  if (most < Infinity) lines.push([[...words, ...times(most + 1)], `docket ${name}`]);
  return lines;
}

function wrongUses({ name, value, inline }: Option): string[] {
  if (value === undefined) return inline ? [`--${name}=`] : [`--${name}=yes`];
  const wrong = value.kind === 'integer' || value.kind === 'oneOf' ? [`--${name}=nonsense`] : [];
  return [`--${name}`, `--${name}=`, ...wrong];
}

// What belongs to another program is checked by that.
const own = commands.filter(({ raw }) => !raw);

describe.each(own.map((command) => [command.name, command] as const))('docket %s', (_name, command) => {
  it.each(wrongLines(command).map(([line, names]) => [line.join(' '), line, names] as const))(
    'docket %s',
    async (_text, line, names) => {
      const asJson = await docket([...line, '--json']);
      const { error } = json(asJson) as { error: Told };
      expect(error.code).toBe('USAGE');
      expect([asJson.code, asJson.stderr, asJson.opened]).toEqual([2, '', []]);
      expect(await faultsIn(error)).toEqual([]);
      expect(error.message).toContain(names);
      expect(error.fix).toContain(`docket ${command.name} --help`);
      const asText = await docket(line);
      expect(asText.stderr).toBe(`error: ${error.message}\n  fix: ${error.fix}\n`);
    },
  );
});
