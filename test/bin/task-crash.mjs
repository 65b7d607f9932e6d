// One command on a task directory or a packet, by a docket that dies at a named call: `node task-crash.mjs JOB`. Without a
// point to die at, every point that is passed is named on stdout. What a dead docket's agents do, they go on doing.
import { openApp } from '../../dist/project/docket.js';
import { dieAt } from './die-at.mjs';

const { root, id, command, point } = JSON.parse(process.argv[2]);
dieAt(root, point);

const app = await openApp({ cwd: root, root });
const control = { signal: new AbortController().signal };
if (command.kind === 'packet') await (await app.packets()).run(id, control);
else {
  const tasks = await app.tasks();
  if (command.kind === 'answer') await app.answer(id, command.gate, command.answer);
  else if (command.kind === 'resume') await tasks.resume(id, control);
  else await tasks.run(id, { ...control, ...command });
}
await app.close();
