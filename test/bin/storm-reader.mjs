#!/usr/bin/env node
// A reader of the write storm: storm-reader.mjs <storm.json> <number>
// Looks at the store all the time, in every way there is, until its stdin ends. Errors and contradictions go to its log.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { queueLayout } from '../../dist/kinds/queue/format/layout.js';
import { placeFor, placeOf } from '../../dist/store/file/place.js';
import { tailJournal } from '../../dist/store/file/tail.js';
import { readWhole } from '../../dist/store/file/whole-reader.js';

const docket = fileURLToPath(new URL('../../bin/docket', import.meta.url));
const storm = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
const fd = fs.openSync(path.join(storm.logs, `r${process.argv[3]}.jsonl`), 'a');
const log = (line) => fs.writeSync(fd, `${JSON.stringify(line)}\n`);

/** What a reader makes of a person's edit bears this time, which no event has. */
const ourTime = Date.parse('2999-01-01T00:00:00.000Z');

const seen = new Map();
const workedOut = new Set();
const tailed = new Map();
const figures = { reads: 0, lists: 0, events: 0 };
const over = new AbortController();
process.stdin.on('end', () => over.abort()).resume();

const abort = new AbortController();
const tail = follow();
const lists = askCommandLine();
while (!over.signal.aborted) {
  const started = performance.now();
  readOnce();
  await rest(started);
}
await lists;
readOnce();
const last = Math.max(0, ...[...seen.values()].map(({ rev }) => rev));
while (figures.events < last && figures.tailFailed === undefined) await sleep(20);
abort.abort();
await tail;
log({ t: 'end', ...figures });
process.exit(0);

function readOnce() {
  try {
    const options = { root: storm.root, dir: storm.dir, layout: queueLayout, clock: { now: () => ourTime } };
    const { tasks: index, findings, freed } = readWhole({ ...options, place: placeFor(options) });
    const tasks = index.list({ removed: true });
    for (const finding of findings) wrong('readWhole', `finding: ${JSON.stringify(finding)}`);
    // What it works out by itself: the task of a dead worker is queued.
    look('readWhole', tasks, seen, ({ id, updatedAt }) => freed.has(id) || Date.parse(updatedAt) === ourTime);
    figures.reads += 1;
  } catch (error) {
    wrong('readWhole', error.stack);
  }
}

async function askCommandLine() {
  while (!over.signal.aborted) {
    const since = new Map(seen);
    const started = performance.now();
    const { code, stdout, stderr } = await list();
    if (code !== 0 || stderr !== '') wrong('list', `ended with ${code}: ${stdout.slice(0, 500)}${stderr}`);
    else {
      const { tasks, findings } = JSON.parse(stdout);
      for (const finding of findings) wrong('list', `finding: ${JSON.stringify(finding)}`);
      // By its clock it cannot be told apart, so a queued task may be one that it worked out.
      look('list', tasks, since, ({ status }) => status === 'queued');
      figures.lists += 1;
    }
    await rest(started);
  }
}

/** `since` is what was known before this look began: nothing may have gone back behind it. */
function look(by, tasks, since, isWorkedOut) {
  const present = new Set();
  for (const task of tasks) {
    const { id, rev, status } = task;
    present.add(id);
    const known = since.get(id);
    const final = known?.status === 'done' || known?.status === 'canceled';
    if (final && status !== known.status) wrong(by, `${id} was ${known.status} and is ${status}`);
    if (isWorkedOut(task)) {
      if (!workedOut.has(by + id)) log({ t: 'worked out', by, id, status });
      workedOut.add(by + id);
      continue;
    }
    if (known && rev < known.rev) wrong(by, `${id} went back from ${known.rev} to ${rev}`);
    if (by === 'readWhole' && rev < (tailed.get(id) ?? 0))
      wrong(by, `${id} at ${rev}, the tail had ${tailed.get(id)}`);
    if (rev <= (seen.get(id)?.rev ?? 0)) continue;
    seen.set(id, { rev, status });
    log({ t: 'saw', by, id, rev, status });
  }
  for (const id of since.keys()) if (!present.has(id)) wrong(by, `${id} is gone`);
}

async function follow() {
  try {
    for await (const event of tailJournal(placeOf(storm.dir), { after: 0, signal: abort.signal })) {
      if (event.seq !== figures.events + 1) wrong('tail', `event ${event.seq} came after ${figures.events}`);
      figures.events = event.seq;
      tailed.set(event.taskId, event.seq);
    }
  } catch (error) {
    figures.tailFailed = true;
    wrong('tail', error.stack);
  }
}

/** All the time, and yet the writers get most of the machine. */
async function rest(started) {
  const ms = 20 + 8 * (performance.now() - started);
  await sleep(ms, undefined, { signal: over.signal }).catch(() => undefined); // the end of the storm wakes it
}

function wrong(by, what) {
  log({ t: 'wrong', by, what });
}

function list() {
  return new Promise((resolve, reject) => {
    const args = [docket, 'list', '--json', '--root', storm.root];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const out = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text) => (out.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (out.stderr += text));
    child.on('error', reject).on('close', (code) => resolve({ code, ...out }));
  });
}
