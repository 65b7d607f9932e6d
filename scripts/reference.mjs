// Writes docs/reference from the program itself. With --check it only says what is out of date.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { configJsonSchema } from '../dist/settings/json-schema.js';
import { loadCommands } from '../dist/surfaces/cli/frame/commands.js';
import { explainedErrors } from '../dist/surfaces/cli/frame/error-help.js';
import { exitCodes } from '../dist/surfaces/cli/frame/exit-codes.js';
import { groups } from '../dist/surfaces/cli/frame/groups.js';
import { usageLine } from '../dist/surfaces/cli/frame/help.js';
import { globalOptions } from '../dist/surfaces/cli/frame/options.js';
import { cliPage } from './reference/cli.mjs';
import { configPage } from './reference/config.mjs';
import { exitCodesPage } from './reference/errors.mjs';
import { schemasPage } from './reference/schemas.mjs';

const at = (name) => new URL(`../${name}`, import.meta.url);
const filesIn = (folder, ending) =>
  readdirSync(at(folder))
    .filter((name) => name.endsWith(ending))
    .toSorted()
    .map((name) => [name, readFileSync(at(`${folder}/${name}`), 'utf8')]);

const schemasIn = (folder) => filesIn(folder, '.json').map(([name, text]) => [name, JSON.parse(text)]);
const pages = {
  'cli.md': cliPage({ commands: await loadCommands(), groups, globalOptions, usageLine }),
  'config.md': configPage(configJsonSchema()),
  'exit-codes.md': exitCodesPage({ exitCodes, errors: explainedErrors() }),
  'schemas.md': schemasPage(schemasIn('schemas'), schemasIn('schemas/cli')),
};

const isCheck = process.argv.includes('--check');
for (const [name, text] of Object.entries(pages)) {
  const file = at(`docs/reference/${name}`);
  if (!isCheck) {
    writeFileSync(file, text);
    console.log(`docs/reference/${name}`);
  } else if (readFileSync(file, 'utf8') !== text) {
    console.error(`docs/reference/${name} is out of date: npm run reference`);
    process.exitCode = 1;
  }
}
