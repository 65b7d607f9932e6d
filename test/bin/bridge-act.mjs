// One command of a docket that may die at a named call: `node bridge-act.mjs JOB`, with `root`, what is added or `run`, and
// `point`. Without a point to die at, every point that is passed is named on stdout.
import { openDocket } from '../../dist/project/docket.js';
import { dieAt } from './die-at.mjs';

const { root, add, run, point } = JSON.parse(process.argv[2]);
dieAt(root, point);

const docket = await openDocket({ cwd: root, root });
if (add) await docket.add(add);
if (run) await docket.run({ signal: new AbortController().signal });
await docket.close();
