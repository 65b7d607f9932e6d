import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildStore, createTask, openStore } from '../store.mjs';
import { compare, mebibytes, millis, ms, number } from '../support.mjs';

const few = 10;

/** What it costs to bring the list of tasks up to date after one commit, by the length of that list. */
export async function projection({ data, rounds, quick }) {
  const sizes = quick ? [1000] : [1000, 10_000];
  const small = await openAt(data, few);
  const rows = [];
  for (const size of sizes) {
    const large = await openAt(data, size);
    const found = await compare(
      rounds,
      () => oneCommit(small),
      () => oneCommit(large),
    );
    const bytes = { small: await bytesOf(small), large: await bytesOf(large) };
    rows.push({
      name: `files of one commit, ${number(size)} records`,
      compared: `one commit that writes tasks.yaml at once, against the same with ${few} records`,
      ...found,
      orientation: `${ms(found.subject)}, ${written(bytes.large)}; ${few} records ${ms(found.base)}, ${written(bytes.small)}`,
    });
    await large.close();
  }
  await small.close();
  return rows;
}

async function openAt(data, size) {
  const root = path.join(data, `store-${size}`);
  await buildStore(root, size, () => 'done');
  return openStore(root, { projectionLagMs: 0 });
}

async function oneCommit(store) {
  return millis(() => createTask(store));
}

async function bytesOf(store) {
  const before = writtenSoFar();
  await createTask(store);
  return writtenSoFar() - before;
}

/** Only Linux counts this for us. */
function writtenSoFar() {
  try {
    return Number(/^wchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
  } catch {
    return Number.NaN;
  }
}

function written(bytes) {
  if (Number.isNaN(bytes)) return 'bytes unknown here';
  return bytes < 2 ** 20 ? `${number(bytes)} bytes written` : `${mebibytes(bytes)} written`;
}
