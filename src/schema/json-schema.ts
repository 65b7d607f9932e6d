import { toJsonSchema, type JsonSchema } from '@valibot/to-json-schema';
import { hintsOf, schemasBelow } from './inside.ts';
import type { Schema } from './schemas.ts';

interface Publishing {
  /** The last words of its `$id`. */
  name: string;
  title: string;
  description?: string;
  schema: Schema;
  /** More keys may come with a later docket: whoever reads this leaves alone what they do not know. */
  isOpen?: boolean;
  /** Say that a key without a value is as good as no key. */
  mayBeEmpty?: boolean;
}

/** A schema as others may use it. Checks for which JSON schemas have no words are left to docket. */
export function publishedSchema({ name, title, description, schema, ...how }: Publishing): JsonSchema {
  const named = [...schemasBelow(schema)].flatMap((each) => {
    const { id } = hintsOf(each);
    return id === undefined ? [] : [[id, each] as const];
  });
  const { $schema, ...rest } = toJsonSchema(schema, {
    typeMode: 'input',
    errorMode: 'ignore',
    definitions: Object.fromEntries(named),
    overrideSchema: ({ jsonSchema }) => asPublished(jsonSchema, how),
  });
  return {
    ...($schema !== undefined && { $schema }),
    $id: `urn:docket:schema:${name}`,
    title,
    ...(description !== undefined && { description }),
    ...rest,
  };
}

function asPublished(schema: JsonSchema, { isOpen, mayBeEmpty }: Partial<Publishing>): JsonSchema {
  const { properties, required = [], additionalProperties, ...rest } = schema;
  if (!properties) return schema;
  const fields = Object.entries(properties).map(([key, field]) => [
    key,
    mayBeEmpty && !required.includes(key) ? orNull(field as JsonSchema) : field,
  ]);
  return {
    ...rest,
    properties: Object.fromEntries(fields) as NonNullable<JsonSchema['properties']>,
    ...(required.length > 0 && { required }),
    ...(additionalProperties !== undefined &&
      !(isOpen && additionalProperties === false) && { additionalProperties }),
  };
}

function orNull(field: JsonSchema): JsonSchema {
  const { description, default: fallback, ...rest } = field;
  const choices = rest.anyOf ?? [rest];
  const isNull = choices.some((choice) => typeof choice === 'object' && choice.type === 'null');
  return {
    ...(description !== undefined && { description }),
    ...(fallback !== undefined && { default: fallback }),
    anyOf: isNull ? choices : [...choices, { type: 'null' }],
  };
}
