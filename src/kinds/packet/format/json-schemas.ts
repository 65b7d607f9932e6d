import { publishedSchema } from '../../../schema/json-schema.ts';
import { manifestSchema } from './manifest.ts';

/** The published schema by file name: `schemas/` holds exactly this, and a test holds it to it. */
export function packetJsonSchemas() {
  const name = 'packet-manifest';
  const title = 'manifest.yaml of a task packet';
  return {
    [`${name}.schema.json`]: publishedSchema({ name, title, schema: manifestSchema, mayBeEmpty: true }),
  };
}
