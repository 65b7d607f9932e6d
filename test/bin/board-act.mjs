// One thing said to a board by a docket that may die at a named call: `node board-act.mjs JOB`, with `root`, `text`, how it
// is said, and `point`. Without a point to die at, every point that is passed is named on stdout.
import { openDocket } from '../../dist/project/docket.js';
import { dieAt } from './die-at.mjs';

const { root, text, how, point } = JSON.parse(process.argv[2]);
dieAt(root, point);

const docket = await openDocket({ cwd: root, root });
const board = await docket.board();
const { signal } = new AbortController();
await board.say({ text, sender: { actor: 'orchestrator', isBot: false }, signal, ...how });
await docket.close();
