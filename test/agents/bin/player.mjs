// player.mjs <scenario.json> <folder>   A plain program that plays a scenario by itself, without a model: it finds the
// `[[name]]` in the prompt on stdin, does what the steps say and prints the last text. The folder gets a file
// `asked-<name>` first, so that a test knows how far it is.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [scenarioFile, folder] = process.argv.slice(2);
const name = readFileSync(0, 'utf8').match(/\[\[([\w.-]+)\]\]/)[1];
writeFileSync(join(folder, `asked-${name}`), '');
const steps = JSON.parse(readFileSync(scenarioFile, 'utf8'))[name];
for (const step of steps) for (const action of step.do ?? []) perform(action);
const last = steps.at(-1);
if (last.hang) setInterval(() => undefined, 1_000_000);
else console.log(last.text.replaceAll('{{seen}}', name));

function perform({ write, edit, shell }) {
  if (write) writeFileSync(write.path, write.content);
  else if (edit) writeFileSync(edit.path, readFileSync(edit.path, 'utf8').replace(edit.old, edit.new));
  else spawnSync(shell, { shell: true, stdio: 'ignore' });
}
