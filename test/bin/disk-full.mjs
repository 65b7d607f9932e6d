// Fills a small file system with a store and looks at what becomes of it: `node disk-full.mjs DIR`. DIR is the root of
// that file system and has nothing on it. Says what happened as one line of JSON.
import fs from 'node:fs';
import path from 'node:path';
import { queueLayout } from '../../dist/kinds/queue/format/layout.js';
import { newRecord } from '../../dist/kinds/queue/format/record.js';
import { execute } from '../../dist/store/execute.js';
import { openFileStore } from '../../dist/store/file/file-store.js';

const [root] = process.argv.slice(2);
const journal = path.join(root, '.docket', 'queue', 'journal.jsonl');
const ballast = path.join(root, 'ballast');
const open = () =>
  openFileStore({
    root,
    dir: path.dirname(journal),
    layout: queueLayout,
    projectionLagMs: 0,
    warn: () => undefined,
  });
const said = { promised: [], refused: [], codes: [], exits: [], shortWrites: 0, prefixKept: true, rounds: 0 };

// Only watches: whether the system really wrote less than it was asked to.
const { writeSync } = fs;
fs.writeSync = (fd, buffer, offset, length, ...rest) => {
  const written = writeSync(fd, buffer, offset, length, ...rest);
  if (Buffer.isBuffer(buffer) && written < length) said.shortWrites += 1;
  return written;
};

fs.writeFileSync(ballast, Buffer.alloc(300 * 1024));
let store = await open();
let count = 0;
for (; said.rounds < 40 && said.refused.length < 60; said.rounds += 1) {
  const before = fs.readFileSync(journal);
  await Promise.all(Array.from({ length: 12 }, () => add()));
  said.prefixKept &&= fs.readFileSync(journal).subarray(0, before.length).equals(before);
}
fs.rmSync(ballast);
const refused = said.refused.length;
for (let n = 0; n < 3; n += 1) await add();
said.wentOn = said.refused.length === refused;
await store.close();

store = await open();
said.there = (await store.list({ removed: true })).map(({ id }) => id);
said.listed = queueLayout
  .split(fs.readFileSync(path.join(root, queueLayout.mirror), 'utf8'))
  .entries.map(({ ref }) => ref);
await store.close();
console.log(JSON.stringify(said));

async function add() {
  count += 1;
  const id = `t${count}`;
  const spec = { body: 'x'.repeat(300), workspace: { kind: 'inplace' } };
  const extras = { queue: newRecord({ name: id, taskDir: `.takt/tasks/${id}` }) };
  try {
    await execute(
      store,
      { type: 'create', id, by: 'ann', title: id, spec, extras },
      { now: new Date().toISOString() },
    );
    said.promised.push(id);
  } catch (error) {
    said.refused.push(id);
    said.codes.push(error.code);
    said.exits.push(error.exitCode);
  }
}
