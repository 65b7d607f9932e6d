// One command of a docket that may die at a named call: `node bridge-act.mjs JOB`, with `root`, what is added or `run`, and
// `point`. Without a point to die at, every point that is passed is named on stdout.
import fs from 'node:fs';
import path from 'node:path';
import { openApp } from '../../dist/app.js';
import { setProbe } from '../../dist/io/fault.js';

const { root, add, run, point } = JSON.parse(process.argv[2]);
const seen = new Map();

setProbe((moment, call, file) => {
  const name = path.relative(root, file).replaceAll(`.${process.pid}.`, '.P.');
  if (name.startsWith('..')) return;
  const what = `${moment} ${call} ${name}`;
  const nth = (seen.get(what) ?? 0) + 1;
  seen.set(what, nth);
  if (point === undefined) fs.writeSync(1, `${what} ${nth}\n`);
  else if (point === `${what} ${nth}`) process.kill(process.pid, 'SIGKILL');
});

const app = await openApp({ cwd: root, root });
if (add) await app.add(add);
if (run) await app.run({ signal: new AbortController().signal });
await app.close();
