import { z } from 'zod';
import { manifestSchema } from './schemas/manifest.ts';

/** The published schema by file name: `schemas/` holds exactly this, and a test holds it to it. */
export function packetJsonSchemas(): Record<string, Record<string, unknown>> {
  const { $schema, ...rest } = z.toJSONSchema(manifestSchema, {
    io: 'input',
    target: 'draft-7',
    override: ({ jsonSchema }) => {
      // What is true of JavaScript only is no rule of the format.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  const name = 'packet-manifest';
  const title = 'manifest.yaml of a task packet';
  return { [`${name}.schema.json`]: { $schema, $id: `urn:docket:schema:${name}`, title, ...rest } };
}
