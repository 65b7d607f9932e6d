// Ends this process at a named call on the files of `root`. Without a point to die at, every point that is passed is named
// on stdout.
import fs from 'node:fs';
import path from 'node:path';
import { setProbe } from '../../dist/io/fault.js';

export function dieAt(root, point) {
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
}
