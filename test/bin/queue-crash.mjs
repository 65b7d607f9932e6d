// `docket run` on a queue, by a docket that dies at a named call: `node queue-crash.mjs JOB`. Without a point to die at, every
// point that is passed is named on stdout. What a dead docket's agents do, they go on doing.
import fs from 'node:fs';
import path from 'node:path';
import { setProbe } from '../../dist/io/fault.js';
import { openDocket } from '../../dist/project/docket.js';

const { root, point } = JSON.parse(process.argv[2]);
const seen = new Map();

/** Names have the process and the time in them: they are the same point all the same. */
const plain = (file) =>
  path
    .relative(root, file)
    .replaceAll(new RegExp(String.raw`\b${process.pid}\b`, 'g'), 'P')
    .replaceAll(/\d{8}T\d{6}/g, 'T');

setProbe((moment, call, file) => {
  const name = plain(file);
  if (name.startsWith('..')) return;
  const what = `${moment} ${call} ${name}`;
  const nth = (seen.get(what) ?? 0) + 1;
  seen.set(what, nth);
  if (point === undefined) fs.writeSync(1, `${what} ${nth}\n`);
  else if (point === `${what} ${nth}`) process.kill(process.pid, 'SIGKILL');
});

const docket = await openDocket({ cwd: root, root });
await docket.run({ signal: new AbortController().signal });
await docket.close();
