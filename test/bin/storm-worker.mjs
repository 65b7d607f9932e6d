#!/usr/bin/env node
// One worker of the write storm: storm-worker.mjs <storm.json> <worker> <life>
// It works through its list of commands on the shared store. What it is about to do and what it was answered go to
// its own log before it goes on, so that the next life of the same worker continues where this one was killed.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { queueLayout } from '../../dist/kinds/queue/format/layout.js';
import { execute } from '../../dist/store/execute.js';
import { openFileStore } from '../../dist/store/file/file-store.js';
import { arm } from './storm-fate.mjs';
import { lower, raise } from './storm-flag.mjs';
import { intentOf } from './storm-intent.mjs';
import { Memory, openLog } from './storm-memory.mjs';

const docket = fileURLToPath(new URL('../../bin/docket', import.meta.url));
const storm = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
const worker = Number(process.argv[3]);
const life = Number(process.argv[4]);
const owner = `w${worker}.${life}`;
const plan = JSON.parse(fs.readFileSync(path.join(storm.plans, `${worker}.json`), 'utf8'));

// Whoever started us is gone: so are we.
process.stdin.on('end', () => process.exit(3)).resume();

const { log, lines } = openLog(path.join(storm.logs, `w${worker}.jsonl`), life);
const memory = new Memory(lines, life);
const claims = new Map();
let conflicts = 0;

const store = await patiently('open', () =>
  openFileStore({
    root: storm.root,
    dir: storm.dir,
    layout: queueLayout,
    lockWaitMs: storm.lockWaitMs,
    lockKind: storm.lockKind,
  }),
);
const counted = {
  ...store,
  async transact(tx) {
    const outcome = await store.transact(tx);
    if (outcome.kind === 'conflict') conflicts += 1;
    return outcome;
  },
};

for (let n = memory.next; n < plan.steps.length; n += 1) {
  arm(plan, n, memory, log);
  const intent = memory.pending ?? {
    n,
    key: `w${worker}-${n}`,
    ...intentOf(plan.steps[n], n, worker, memory, storm),
  };
  if (!memory.pending) log({ t: 'intent', ...intent });
  conflicts = 0;
  await prepare(intent);
  const answer = await perform(intent);
  const ack = { t: 'ack', n, key: intent.key, ...answer, ...(conflicts > 0 && { conflicts }) };
  log(ack);
  await release(memory.learn(intent, { ...ack, life }));
}
await close();
log({ t: 'end' });
process.exit(0);

/** Closing ends it either way; what it could not finish without the lock is left to the next writer. */
async function close() {
  try {
    await store.close();
  } catch (error) {
    if (error.code !== 'LOCK_TIMEOUT') throw error;
    log({ t: 'timeout', of: 'close' });
  }
}

/** A worker that is about to give a task up says so first: from the commit on it may be somebody else's. */
async function prepare(intent) {
  const held = memory.held.find(({ token }) => token === intent.command?.token && token !== undefined);
  const claim = claims.get(held?.token);
  if (claim) {
    const from = Number(process.hrtime.bigint() / 1000n);
    const answer = await patiently('beat', () => store.beat(claim));
    log({ t: 'beat', id: held.id, token: held.token, answer, from });
  }
  if (held && intent.ends) lower(storm.flags, held.id);
}

async function perform(intent) {
  if (intent.compact) {
    await patiently('compact', () => store.compact());
    return { outcome: 'done' };
  }
  if (intent.claim) return claim(intent.claim);
  if (intent.add) return add(intent);
  const executed = await patiently('command', () =>
    execute(counted, { by: owner, ...intent.command }, { now: new Date().toISOString(), key: intent.key }),
  );
  if (!executed.ok) return { outcome: 'refused', code: executed.refusal.code };
  const { task, events, duplicate } = executed;
  return { outcome: duplicate ? 'duplicate' : 'ok', id: task.id, seq: events[0]?.seq };
}

async function claim(request) {
  const got = await patiently('claim', () => store.claim({ owner, ...request }));
  for (const one of got) claims.set(one.token, one);
  const at = Number(process.hrtime.bigint() / 1000n);
  for (const { task } of got) {
    const other = await raise(storm.flags, task.id);
    if (other) log({ t: 'clash', id: task.id, with: other });
  }
  return { outcome: 'claimed', at, claims: got.map(({ task, token }) => ({ id: task.id, token })) };
}

async function release(over) {
  for (const { token } of over) {
    const claim = claims.get(token);
    claims.delete(token);
    if (claim) await patiently('release', () => claim.release());
  }
}

/** The real command line; its own key makes the second try safe. */
async function add({ add: text, key }) {
  for (;;) {
    const { code, stdout, stderr } = await run([
      docket,
      'add',
      text,
      '--json',
      '--root',
      storm.root,
      '--key',
      key,
    ]);
    if (code === 0) return { outcome: 'ok', id: JSON.parse(stdout).id };
    const error = code === 75 ? JSON.parse(stdout).error : undefined;
    if (error?.code !== 'LOCK_TIMEOUT') throw new Error(`docket add ended with ${code}: ${stdout}${stderr}`);
    log({ t: 'timeout', of: 'docket add' });
  }
}

function run(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const out = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text) => (out.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (out.stderr += text));
    child.on('error', reject).on('close', (code) => resolve({ code, ...out }));
  });
}

/** To give up waiting for the lock is an answer ("try again later"), and so we do. Any other error is a finding. */
async function patiently(of, attempt) {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (error.code !== 'LOCK_TIMEOUT' || error.exitCode !== 75) throw error;
      log({ t: 'timeout', of });
    }
  }
}
