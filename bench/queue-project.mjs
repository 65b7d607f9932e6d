// A queue to measure on: a repository, agents that need no time of their own, and tasks.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { openDocket } from '../dist/index.js';

/** The prompt is read, as every agent does; the answer is one word. */
export const instant = ['/bin/sh', '-c', 'cat >/dev/null; echo done'];
/** Leaves something to commit. */
export const writing = ['/bin/sh', '-c', 'cat >/dev/null; echo more >> src/app.txt; echo done'];
export const slow = ['/bin/sh', '-c', 'cat >/dev/null; sleep 1; echo done'];

const files = 50;
const who = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com'];

/** `steps`: workflows of so many steps, one after the other, are there as `steps-<n>`. */
export function makeProject(root, { agent = instant, steps = [] } = {}) {
  for (const name of ['.docket', 'src', '.takt/workflows'])
    mkdirSync(path.join(root, name), { recursive: true });
  const config = { defaultAgent: 'bench', agents: { bench: { adapter: 'command', command: agent } } };
  const written = {
    '.gitignore': '.docket\n.takt/runs\n.takt/tasks\n.takt/tasks.yaml\n',
    '.docket/config.yaml': JSON.stringify(config),
    'src/app.txt': 'one\n',
    ...Object.fromEntries(Array.from({ length: files }, (_, n) => [`src/file-${n}.txt`, `file ${n}\n`])),
    ...Object.fromEntries(steps.map((count) => [`.takt/workflows/steps-${count}.yaml`, chain(count)])),
  };
  for (const [name, text] of Object.entries(written)) writeFileSync(path.join(root, name), text);
  for (const args of [
    ['init', '--quiet'],
    ['config', 'user.name', 'bench'],
    ['config', 'user.email', 'bench@example.com'],
    ['add', '.'],
    [...who, 'commit', '--quiet', '-m', 'start'],
  ])
    execFileSync('git', args, { cwd: root });
}

function chain(count) {
  const names = Array.from({ length: count }, (_, n) => `step-${n}`);
  const steps = names.map((name, n) => ({
    name,
    edit: true,
    instruction: 'Say that you are done.',
    rules: [{ condition: 'Done', next: names[n + 1] ?? 'COMPLETE' }],
  }));
  return JSON.stringify({ name: `steps-${count}`, max_steps: count, initial_step: names[0], steps });
}

/** Without what the user has: their settings must not count. */
export function environment(root) {
  return { PATH: process.env.PATH, HOME: path.join(root, '.docket') };
}

export function openProject(root) {
  return openDocket({ cwd: root, root, env: environment(root) });
}

export async function addTasks(app, count, wish = {}) {
  for (let n = 0; n < count; n += 1) await app.add({ text: `Mend the gate ${n}`, ...wish });
}

/** Everything that is queued, and it must all end well. */
export async function runAll(app, count, parallel = 1) {
  const ran = await app.run({ signal: new AbortController().signal, parallel });
  const done = ran.filter(({ task }) => task.status === 'done').length;
  if (done !== count) throw new Error(`${done} of ${count} tasks are done: ${JSON.stringify(ran[0])}`);
}

/** The same program without docket. */
export function bareRun([program, ...args], cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdout.resume();
    child.stderr.resume();
    child.on('error', reject);
    child.on('close', resolve);
    child.stdin.end('Say that you are done.');
  });
}

export async function times(count, work) {
  for (let n = 0; n < count; n += 1) await work(n);
}

/** A clone that is as independent as docket's, made by git alone. */
export function bareClone(root, place) {
  const common = path.join(root, '.git');
  const how = ['--quiet', '--no-local', `--reference=${common}`, '--dissociate'];
  return promisify(execFile)('git', ['clone', ...how, common, place]);
}
