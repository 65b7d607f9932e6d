import { z } from 'zod';
import { publishedSchema } from '../../../schema/json-schema.ts';
import type { Command } from '../command.ts';
import { allAnswers } from './all.ts';
import type { Published } from './answer.ts';

type Json = object;

/** The published schemas by file name: `schemas/cli` holds exactly these, and a test holds it to them. */
export function cliJsonSchemas(commands: readonly Command[]): Record<string, Json> {
  return Object.fromEntries(
    commands.flatMap((command) => {
      const name = command.name.replaceAll(' ', '-');
      const schema = schemaFor(command, name);
      return schema === undefined ? [] : [[`cli/${name}.schema.json`, schema]];
    }),
  );
}

function schemaFor({ name: command, answer }: Command, name: string): Json | undefined {
  const old = allAnswers.get(command);
  if (answer === undefined) return old && schemaOf(command, name, old);
  const { about, schema, streams } = answer;
  return publishedSchema({
    name: `cli:${name}`,
    title: `docket ${command} --json`,
    description: `${about} ${howMany(streams)}`,
    schema,
    isOpen: true,
  });
}

function howMany(streams: string | undefined): string {
  return streams === undefined ? 'One JSON value.' : `${streams} (NDJSON): this is the schema of each line.`;
}

function schemaOf(command: string, name: string, { about, schema, streams }: Published): Json {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    override: ({ jsonSchema }) => asPublished(jsonSchema),
  });
  return {
    $schema,
    $id: `urn:docket:schema:cli:${name}`,
    title: `docket ${command} --json`,
    description: `${about} ${howMany(streams)}`,
    ...rest,
  };
}

/** A later docket may tell more: who reads an answer leaves alone what they do not know. The rest is JavaScript's. */
function asPublished(schema: Record<string, unknown>): void {
  if (schema['additionalProperties'] === false) delete schema['additionalProperties'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['format'] !== undefined) delete schema['pattern'];
}
