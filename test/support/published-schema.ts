import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';

const formats = { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/ };

/** What a published schema has against a value: nothing, if it is good. */
export function faultsOf(schema: string, value: unknown): string[] {
  const file = new URL(`../../schemas/${schema}.schema.json`, import.meta.url);
  const validate = new Ajv({ allErrors: true, allowUnionTypes: true, formats }).compile(
    JSON.parse(readFileSync(file, 'utf8')) as object,
  );
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
