import { z } from 'zod';
import { allAnswers } from './all.ts';
import type { Published } from './answer.ts';

type Json = Record<string, unknown>;

/** The published schemas by file name: `schemas/cli` holds exactly these, and a test holds it to them. */
export function cliJsonSchemas(): Record<string, Json> {
  return Object.fromEntries(
    [...allAnswers].map(([command, published]) => {
      const name = command.replaceAll(' ', '-');
      return [`cli/${name}.schema.json`, schemaOf(command, name, published)];
    }),
  );
}

function schemaOf(command: string, name: string, { about, schema, streams }: Published): Json {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    override: ({ jsonSchema }) => asPublished(jsonSchema),
  });
  const how =
    streams === undefined ? 'One JSON value.' : `${streams} (NDJSON): this is the schema of each line.`;
  return {
    $schema,
    $id: `urn:docket:schema:cli:${name}`,
    title: `docket ${command} --json`,
    description: `${about} ${how}`,
    ...rest,
  };
}

/** A later docket may tell more: who reads an answer leaves alone what they do not know. The rest is JavaScript's. */
function asPublished(schema: Json): void {
  if (schema['additionalProperties'] === false) delete schema['additionalProperties'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['format'] !== undefined) delete schema['pattern'];
}
