// Writes the published JSON schemas from the ones that the program checks with.
import { writeFileSync } from 'node:fs';
import { configJsonSchema } from '../dist/config/json-schema.js';

const schemas = { 'config.schema.json': configJsonSchema() };

for (const [name, schema] of Object.entries(schemas)) {
  writeFileSync(new URL(`../schemas/${name}`, import.meta.url), `${JSON.stringify(schema, null, 2)}\n`);
  console.log(`schemas/${name}`);
}
