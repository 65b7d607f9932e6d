// Runs one agent in a process of its own (another user, a small disk) and says what came of it as one line of JSON:
// `node one.mjs SPEC`, a ProcessSpec as JSON, with `sandbox` if it should have one.
import { sandboxed } from '../../../dist/io/process/sandbox.js';
import { startProcess } from '../../../dist/io/process/start.js';

const { sandbox, ...spec } = JSON.parse(process.argv[2]);
const said = { texts: [] };
let child;
try {
  const argv = sandbox ? await sandboxed(spec.argv, { ...spec, ...sandbox }) : spec.argv;
  child = await startProcess({ ...spec, argv });
  for await (const { text } of child.lines()) said.texts.push(text.slice(0, 2000));
} catch (error) {
  said.error = { name: error.name, code: error.code, message: error.message, fix: error.fix };
}
said.exit = await child?.exited;
said.stderr = child?.stderrTail();
console.log(JSON.stringify(said));
