import { publishedSchema } from '../../schema/json-schema.ts';
import type { Described } from './frame/command.ts';

/** Commands whose output is not ours to describe, and why. */
export const undescribed: Readonly<Record<string, string>> = {
  compat: 'it prints what the scripts of the original board print',
};

/** The published schemas by file name: `schemas/cli` holds exactly these, and a test holds it to them. */
export function cliJsonSchemas(commands: readonly Described[]): Record<string, object> {
  return Object.fromEntries(
    commands.flatMap(({ name: command, answer }) => {
      if (!answer) return [];
      const name = command.replaceAll(' ', '-');
      const { about, schema, streams } = answer;
      const howMany =
        streams === undefined ? 'One JSON value.' : `${streams} (NDJSON): this is the schema of each line.`;
      const published = publishedSchema({
        name: `cli:${name}`,
        title: `docket ${command} --json`,
        description: `${about} ${howMany}`,
        schema,
        isOpen: true,
      });
      return [[`cli/${name}.schema.json`, published]];
    }),
  );
}
