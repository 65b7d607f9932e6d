// Writes the published JSON schemas from the ones that the program checks with.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { boardJsonSchemas } from '../dist/kinds/board/format/json-schemas.js';
import { agentmeshJsonSchemas } from '../dist/kinds/directory/format/json-schemas.js';
import { packetJsonSchemas } from '../dist/kinds/packet/format/json-schemas.js';
import { configJsonSchema } from '../dist/settings/json-schema.js';
import { loadCommands } from '../dist/surfaces/cli/frame/commands.js';
import { cliJsonSchemas } from '../dist/surfaces/cli/json-schemas.js';

const schemas = {
  'config.schema.json': configJsonSchema(),
  ...agentmeshJsonSchemas(),
  ...boardJsonSchemas(),
  ...packetJsonSchemas(),
  ...cliJsonSchemas(await loadCommands()),
};

const at = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
mkdirSync(at('schemas/cli'), { recursive: true });
for (const [name, schema] of Object.entries(schemas)) {
  writeFileSync(at(`schemas/${name}`), `${JSON.stringify(schema, null, 2)}\n`);
  console.log(`schemas/${name}`);
}
execFileSync(process.execPath, [at('node_modules/oxfmt/bin/oxfmt'), at('schemas')], { stdio: 'inherit' });
