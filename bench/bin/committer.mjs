// One of several processes on one store: says when it is open, starts when told, and reports what it committed.
import { createTask, openStore } from '../store.mjs';

const [root, forMs] = process.argv.slice(2);
const store = await openStore(root, { lockWaitMs: 60_000 });
process.once('disconnect', () => process.exit(1));
process.once('message', async () => {
  await commitFor(forMs / 2); // until the compiler knows the way
  const commits = await commitFor(forMs);
  await store.close();
  process.send(commits, () => process.disconnect());
});
process.send('ready');

async function commitFor(duration) {
  const end = performance.now() + Number(duration);
  let commits = 0;
  for (; performance.now() < end; commits += 1) await createTask(store);
  return commits;
}
