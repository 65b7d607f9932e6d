// npm run bench: every figure as a ratio of two things measured by turns in this one run.
//   --only NAME   one figure        --quick   fewer rounds and smaller stores, to see that it works
//   --write       with --only: put its rows into RESULTS.md, beside the others that stand there
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { attempt } from './figures/attempt.mjs';
import { board } from './figures/board.mjs';
import { chat } from './figures/chat.mjs';
import { claim } from './figures/claim.mjs';
import { commit } from './figures/commit.mjs';
import { fold } from './figures/fold.mjs';
import { group } from './figures/group.mjs';
import { packet } from './figures/packet.mjs';
import { processes } from './figures/processes.mjs';
import { projection } from './figures/projection.mjs';
import { queue } from './figures/queue.mjs';
import { start } from './figures/start.mjs';
import { status } from './figures/status.mjs';
import { workflow } from './figures/workflow.mjs';
import { printRow, writeResults } from './results.mjs';
import { makeDataFolder } from './support.mjs';

const figures = {
  commit,
  processes,
  group,
  claim,
  fold,
  start,
  projection,
  attempt,
  workflow,
  packet,
  queue,
  board,
  chat,
  status,
};
const { values } = parseArgs({
  options: { only: { type: 'string' }, quick: { type: 'boolean' }, write: { type: 'boolean' } },
});
const { only, quick = false, write = only === undefined } = values;
const names = only === undefined ? Object.keys(figures) : [only];
if (names.some((name) => !Object.hasOwn(figures, name))) {
  console.error(`there is no figure "${only}"; there are: ${Object.keys(figures).join(', ')}`);
  process.exit(2);
}

const folder = makeDataFolder();
const rows = [];
for (const name of names) {
  const data = path.join(folder, name);
  mkdirSync(data);
  console.log(`\n${name}`);
  for (const row of await figures[name]({ data, rounds: quick ? 3 : 7, quick })) {
    printRow(row);
    rows.push(row);
  }
  rmSync(data, { recursive: true, force: true });
}
// Small ones would stand there as if they were the real ones.
if (write && !quick) writeResults(rows, folder, { among: only !== undefined });
