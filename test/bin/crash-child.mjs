// Runs the steps of a plan on stores of their own and dies by SIGKILL. With a point to die at, a store sees nothing more
// of this process from that point on; the last store's point is where the signal is sent. Without one, every point
// that is passed is named. What is acknowledged is written to fd 1 before the next step begins.
import fs from 'node:fs';
import path from 'node:path';
import { setProbe } from '../../dist/io/fault.js';
import { queueLayout } from '../../dist/kinds/queue/format/layout.js';
import { execute } from '../../dist/store/execute.js';
import { openFileStore } from '../../dist/store/file/file-store.js';

const job = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
const clock = { now: () => job.time };
const now = new Date(job.time).toISOString();

const mine = `.${process.pid}`;

class Frozen extends Error {}

/** The run whose turn it is. A call from any other comes from one that is dead. */
let current;

function say(...words) {
  fs.writeSync(1, `${JSON.stringify(words)}\n`);
}

/** Names of temporary files carry the process and a count: they are the same point all the same. */
function label(moment, call, file) {
  const name = path
    .relative(current.root, file)
    .replaceAll(mine, '.P')
    .replaceAll(/\.P-\d+-\d+/g, '.P');
  return `${moment} ${call} ${name}`;
}

setProbe((moment, call, file) => {
  if (current === undefined || current.dead || !file.startsWith(current.root)) throw new Frozen();
  const name = label(moment, call, file);
  const nth = (current.seen.get(name) ?? 0) + 1;
  current.seen.set(name, nth);
  const point = `${name} ${nth}`;
  if (current.point === undefined) say('point', current.index, point);
  if (current.point !== point) return;
  current.dead = true;
  say('dead', current.index, photograph(current.root));
  if (current.last) process.kill(process.pid, 'SIGKILL');
  current.freeze();
  throw new Frozen();
});

/** Every file below a folder with what changes when somebody touches it. */
function photograph(root) {
  const files = [];
  for (const entry of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const stat = fs.lstatSync(file, { bigint: true });
    const time = entry.isDirectory() ? '' : `${stat.size} ${stat.mtimeNs}`;
    files.push(`${path.relative(root, file)} ${stat.ino} ${time}`);
  }
  return files.toSorted();
}

async function perform(store, step, claims) {
  if (step.do.compact) return store.compact();
  if (step.do.take !== undefined) {
    const [claim] = await store.claim({ owner: job.owner, max: 1, only: [step.do.take] });
    if (claim === undefined) throw new Error(`${step.name}: nothing was claimed`);
    claims.set(step.do.take, claim);
    return undefined;
  }
  const { command, token } = step.do;
  const task = token && (await store.get(command.id));
  const full = token ? { ...command, token: task.token } : command;
  const executed = await execute(store, full, { now, key: step.name });
  if (!executed.ok) throw new Error(`${step.name}: ${executed.refusal.message}`);
  if (step.release !== undefined) await claims.get(step.release)?.release();
}

async function drive(run) {
  const { root, lockKind } = run;
  const dir = path.join(root, '.docket', 'queue');
  const claims = new Map();
  const store = await openFileStore({
    root,
    dir,
    layout: queueLayout,
    lockKind,
    clock,
    projectionLagMs: 0,
  });
  for (const step of job.steps.slice(run.from, run.to)) {
    await perform(store, step, claims);
    if (run.dead) return;
    say('ack', run.index, step.name);
  }
  await store.close();
  if (!run.dead && run.point !== undefined) say('missed', run.index, run.point);
}

// A dead run's promises and callbacks end in this error, and nobody waits for them any more.
for (const event of ['uncaughtException', 'unhandledRejection']) {
  process.on(event, (error) => {
    for (let at = error; at instanceof Error; at = at.cause) if (at instanceof Frozen) return;
    fs.writeSync(2, `${error?.stack ?? error}\n`);
    process.exit(1);
  });
}

for (const [index, run] of job.runs.entries()) {
  fs.cpSync(run.copyOf, run.root, { recursive: true, preserveTimestamps: true });
  const frozen = new Promise((resolve) => {
    current = {
      ...run,
      index,
      seen: new Map(),
      dead: false,
      freeze: resolve,
      last: index === job.runs.length - 1,
    };
  });
  const running = current;
  const driven = drive(running).catch((error) => {
    if (running.dead) return;
    fs.writeSync(2, `${running.point}: ${error?.stack ?? error}\n`);
    process.exit(1);
  });
  await Promise.race([driven, frozen]);
}
