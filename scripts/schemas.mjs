// Writes the published JSON schemas from the ones that the program checks with.
import { writeFileSync } from 'node:fs';
import { configJsonSchema } from '../dist/config/json-schema.js';
import { agentmeshJsonSchemas } from '../dist/layout/agentmesh/json-schemas.js';
import { boardJsonSchemas } from '../dist/layout/board/json-schemas.js';
import { packetJsonSchemas } from '../dist/layout/packet/json-schemas.js';

const schemas = {
  'config.schema.json': configJsonSchema(),
  ...agentmeshJsonSchemas(),
  ...boardJsonSchemas(),
  ...packetJsonSchemas(),
};

for (const [name, schema] of Object.entries(schemas)) {
  writeFileSync(new URL(`../schemas/${name}`, import.meta.url), `${JSON.stringify(schema, null, 2)}\n`);
  console.log(`schemas/${name}`);
}
