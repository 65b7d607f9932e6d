// Uses the store of a root in a process of its own: `node store.mjs ROOT OP...`, where an OP is `read` or `add:ID`.
// Each answer and each warning is one line of JSON on stdout; the last line says how much memory it took.
import path from 'node:path';
import { systemClock } from '../../dist/io/clock.js';
import { queueLayout } from '../../dist/kinds/queue/format/layout.js';
import { newRecord } from '../../dist/kinds/queue/format/record.js';
import { execute } from '../../dist/store/execute.js';
import { openFileStore } from '../../dist/store/file/file-store.js';
import { placeFor } from '../../dist/store/file/place.js';
import { readWhole } from '../../dist/store/file/whole-reader.js';

const [root, ...ops] = process.argv.slice(2);
const place = { root, dir: path.join(root, '.docket', 'queue'), layout: queueLayout };
const say = (line) => console.log(JSON.stringify(line));
let store;

for (const op of ops) {
  try {
    say({ op, ...(await perform(op)) });
  } catch (error) {
    const { name, code, message, fix, exitCode, data } = error;
    say({ op, error: { name, code, message, fix, exitCode, path: data?.path, line: data?.line } });
  }
}
await store
  ?.close()
  .catch((error) => say({ op: 'close', error: { code: error.code, message: error.message } }));
say({ op: 'end', rssKb: process.resourceUsage().maxRSS });

async function perform(op) {
  const [verb, id] = op.split(':');
  if (verb === 'read') {
    const { tasks, findings } = readWhole({ ...place, place: placeFor(place), clock: systemClock });
    return { tasks: tasks.list().map((task) => [task.id, task.status]), findings };
  }
  store ??= await openFileStore({ ...place, projectionLagMs: 0, warn: (warning) => say({ warning }) });
  const spec = { body: '', workspace: { kind: 'inplace' } };
  const extras = { queue: newRecord({ name: id, taskDir: `.takt/tasks/${id}` }) };
  const create = { type: 'create', id, by: 'ann', title: id, spec, extras };
  const { ok } = await execute(store, create, { now: new Date().toISOString() });
  return { ok };
}
