// Adds tasks one after the other until it has COUNT acknowledgements, says so, and stands still.
import path from 'node:path';
import { execute, openStore, queueLayout } from '../../dist/index.js';

const [root, durability, count] = process.argv.slice(2);
const store = await openStore({
  root,
  dir: path.join(root, '.docket/queue'),
  layout: queueLayout,
  durability,
});
for (let n = 0; n < Number(count); n += 1) {
  await execute(
    store,
    { type: 'create', id: `t${n}`, by: 'test', title: `Task ${n}`, spec: { body: 'x' } },
    { now: new Date().toISOString() },
  );
}
process.stdout.write('acknowledged\n');
setInterval(() => undefined, 1000);
