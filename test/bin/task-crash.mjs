// One command on a task directory or a packet, by a docket that dies at a named call: `node task-crash.mjs JOB`. Without a
// point to die at, every point that is passed is named on stdout. What a dead docket's agents do, they go on doing.
import { openDocket } from '../../dist/project/docket.js';
import { dieAt } from './die-at.mjs';

const { root, id, command, point } = JSON.parse(process.argv[2]);
dieAt(root, point);

const docket = await openDocket({ cwd: root, root });
const control = { signal: new AbortController().signal };
if (command.kind === 'packet') await (await docket.packets()).run(id, control);
else {
  const tasks = await docket.tasks();
  if (command.kind === 'answer') await docket.answer(id, command.gate, command.answer);
  else if (command.kind === 'resume') await tasks.resume(id, control);
  else await tasks.run(id, { ...control, ...command });
}
await docket.close();
