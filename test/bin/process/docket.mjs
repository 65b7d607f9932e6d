// A docket that starts agents and is killed some day: `node docket.mjs JSON`, a list of { argv, dir, mark }. Says
// "ready" when each has said its first line.
import { startProcess } from '../../../dist/io/process/start.js';

const env = { PATH: process.env.PATH };
for (const { argv, dir, mark } of JSON.parse(process.argv[2])) {
  const child = await startProcess({ argv, cwd: dir, env, stdin: { text: 'prompt\n' }, dir, mark });
  for await (const _line of child.lines()) break;
}
console.log('ready');
setInterval(() => undefined, 1000);
