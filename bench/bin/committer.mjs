// One of several processes on one store: says when it is open, starts when told, and reports what it committed.
import { createTask, openStore } from '../store.mjs';

const [root, forMs] = process.argv.slice(2);
const store = await openStore(root, { lockWaitMs: 60_000 });
process.once('disconnect', () => process.exit(1));
process.once('message', async () => {
  const end = performance.now() + Number(forMs);
  let commits = 0;
  while (performance.now() < end) {
    await createTask(store);
    commits += 1;
  }
  await store.close();
  process.send(commits, () => process.disconnect());
});
process.send('ready');
