// A process of the demonstration. `hold NAME` claims a task and keeps it; `add NAME N` adds N tasks.
import path from 'node:path';
import { openApp, openFileBackend, queueLayout } from '../dist/index.js';

const [root, mode, name, count] = process.argv.slice(2);

if (mode === 'add') {
  const app = await openApp({ cwd: root, root });
  for (let n = 1; n <= Number(count); n += 1) await app.add({ text: `Task ${n} of ${name}` });
  await app.close();
} else {
  const store = await openFileBackend({ root, dir: path.join(root, '.docket/queue'), layout: queueLayout });
  const [claim] = await store.claim({ owner: name, max: 1 });
  console.log(claim ? `${name} has "${claim.task.title}"` : `${name} finds nothing to do`);
  setInterval(() => undefined, 1000);
}
