// One of several processes on one store: says when it is open, starts when told, and reports what it committed.
import { rmSync } from 'node:fs';
import { createTask, openStore } from '../store.mjs';

/** Counted in commits, not in time: one of eight gets less done in a second, and would be measured colder than one alone. */
const warmUp = 6000;
const together = 4000;

const [root, forMs] = process.argv.slice(2);
await warm(`${root}-warm-${process.pid}`);
const store = await openStore(root, { lockWaitMs: 60_000 });
process.once('disconnect', () => process.exit(1));
process.once('message', () => void measure());
process.send('ready');

async function measure() {
  await commitFor(together); // the way of many is another than the way of one, and is compiled anew
  const commits = await commitFor(forMs);
  await store.close();
  process.send(commits, () => process.disconnect());
}

/** Until the compiler knows the way, on a store of its own. */
async function warm(own) {
  const alone = await openStore(own, { durability: 'relaxed' });
  for (let commits = 0; commits < warmUp; commits += 1) await createTask(alone);
  await alone.close();
  rmSync(own, { recursive: true, force: true });
}

async function commitFor(duration) {
  const end = performance.now() + Number(duration);
  let commits = 0;
  for (; performance.now() < end; commits += 1) await createTask(store);
  return commits;
}
