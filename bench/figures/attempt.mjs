import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultLimits } from '../../dist/adapters/agent.js';
import { command } from '../../dist/adapters/command/adapter.js';
import { attemptFolder } from '../../dist/engine/attempt-logs.js';
import { endingOf, Recorder } from '../../dist/engine/recorder.js';
import { runStep } from '../../dist/engine/step.js';
import { createTask, openStore } from '../store.mjs';
import { compare, median, ms } from '../support.mjs';

const instant = fileURLToPath(new URL('../bin/instant-agent.mjs', import.meta.url));
const prompt = 'Say that you are done.';

/** What an attempt costs beside the agent itself: folder, supervisor, journal, sweep, report. */
export async function attempt({ data, rounds, quick }) {
  const times = quick ? 5 : 15;
  const root = path.join(data, 'store');
  const store = await openStore(root);
  const against = async (name, argv, aim) => {
    const found = await compare(
      rounds,
      () => medianOf(times, () => bareRun(argv)),
      () => medianOf(times, () => attemptOf(store, root, argv)),
    );
    const orientation = `${ms(found.subject)}; bare ${ms(found.base)}`;
    const compared =
      'one step in the journal, with its attempt, against child_process.spawn of the same agent';
    return { name, compared, ...found, aim, orientation };
  };
  const rows = [
    await against('attempt of an instant agent (node)', [process.execPath, instant], { most: 1.3 }),
    await against(
      'attempt of an instant agent (sh)',
      ['/bin/sh', '-c', 'cat >/dev/null; echo done'],
      undefined,
    ),
  ];
  await store.close();
  return rows;
}

async function medianOf(times, work) {
  const took = [];
  for (let done = 0; done < times; done += 1) {
    const started = performance.now();
    await work();
    took.push(performance.now() - started);
  }
  return median(took);
}

function bareRun([program, ...args]) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    let out = '';
    child.stdout.on('data', (bytes) => (out += bytes));
    child.stderr.resume();
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(out) : reject(new Error(`ended with ${code}`))));
    child.stdin.end(prompt);
  });
}

async function attemptOf(store, root, argv) {
  const { id } = await createTask(store);
  const [claim] = await store.claim({ owner: 'bench', max: 1, only: [id] });
  const recorder = new Recorder(store, claim.task, 'bench', Date.now);
  const attemptsDir = path.join(root, 'attempts');
  mkdirSync(attemptsDir, { recursive: true });
  const agent = {
    name: 'instant',
    adapter: command,
    permission: 'full',
    limits: defaultLimits,
    env: {},
    sandbox: 'none',
    network: true,
    approvals: false,
    command: argv,
  };
  const { end, last } = await runStep({
    step: 'work',
    agent,
    recorder,
    prompt,
    cwd: root,
    folder: (n) => attemptFolder(attemptsDir, id, n),
    env: process.env,
    signal: new AbortController().signal,
    now: Date.now,
  });
  if (end.kind !== 'report') throw new Error(`no report: ${JSON.stringify(end)}`);
  await recorder.write(endingOf(last), { type: 'settle', verdict: { kind: 'pass' }, summary: 'ok' });
  await claim.release();
}
