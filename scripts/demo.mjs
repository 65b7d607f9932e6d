// A self-contained demonstration: real processes on a real store in a scratch folder.
// node scripts/demo.mjs [--keep]
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { demoAgents } from './demo-agents.mjs';
import { demoTasks } from './demo-tasks.mjs';

const docket = fileURLToPath(new URL('../bin/docket', import.meta.url));
const worker = fileURLToPath(new URL('demo-worker.mjs', import.meta.url));
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-demo-'));
const file = (name) => path.join(root, name);
const tasksFile = file('.takt/tasks.yaml');
const journal = file('.docket/queue/journal.jsonl');

const run = (...args) =>
  execFileSync(process.execPath, [docket, '--root', root, ...args], { encoding: 'utf8' });
const list = () => JSON.parse(run('list', '--json')).tasks;
const say = (text) => console.log(text);
const show = (text) => say(text.trimEnd().replaceAll(/^/gm, '    '));
let step = 0;
const title = (text) => say(`\n${++step}. ${text}`);

/** Starts a worker process and resolves with what it says first; `end` resolves when it is gone. */
function start(...args) {
  const child = spawn(process.execPath, [worker, root, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const end = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
  let text = '';
  const first = new Promise((resolve) => {
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.trim());
    });
    child.once('exit', () => resolve(text.trim()));
  });
  return { child, first, end };
}

const children = [];
try {
  title('Give docket some work. It is in plain files at once.');
  run('add', 'Fix the flaky login test');
  run('add', 'Write the release notes', '--priority', '5');
  run('add', 'Rename the old config keys');
  show(run('list'));
  show(
    `${path.relative(root, tasksFile)}:\n${fs.readFileSync(tasksFile, 'utf8').split('\n').slice(0, 9).join('\n')}\n…`,
  );

  title(
    'Two workers ask for work at the same moment. Both tasks are for your own work tree, so one has to wait.',
  );
  const two = ['worker-a', 'worker-b'].map((name) => start('hold', name));
  children.push(...two);
  const said = await Promise.all(two.map(({ first }) => first));
  said.forEach(show);
  show(run('list'));

  title('The one who works is killed with SIGKILL. Nothing says "running" that is not.');
  const busy = two[said.findIndex((text) => text.includes(' has '))];
  busy.child.kill('SIGKILL');
  await busy.end;
  show(run('list'));

  title('The power fails in the middle of a write: half a line at the end of the journal.');
  fs.appendFileSync(journal, '{"v":1,"seq":99,"at":"2026-01-01T00:00:00.000Z","type":"task.don');
  show(`validate: ${run('validate').trim()}`);
  run('add', 'Work that comes after the crash');
  show(
    `${list().length} tasks; the torn bytes are kept: ${fs.readdirSync(file('.docket/queue')).find((name) => name.startsWith('torn-'))}`,
  );

  title('You edit tasks.yaml by hand, comment included. Your edit counts, and it stays as you wrote it.');
  const edited = fs
    .readFileSync(tasksFile, 'utf8')
    .replace(
      'summary: Rename the old config keys',
      'summary: Rename the old config keys, all of them # before the release',
    );
  fs.writeFileSync(tasksFile, edited);
  run('add', 'One more, so that docket writes the file again');
  show(run('list'));
  show(
    fs
      .readFileSync(tasksFile, 'utf8')
      .split('\n')
      .find((line) => line.includes('# before')) ?? 'the comment is LOST',
  );

  title('Four processes add 100 tasks each, at once, every one flushed to disk before it is acknowledged.');
  const before = list().length;
  const began = performance.now();
  const adders = ['a', 'b', 'c', 'd'].map((name) => start('add', name, '100'));
  children.push(...adders);
  await Promise.all(adders.map(({ end }) => end));
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const after = list().length;
  show(
    `${before} + 400 = ${after} tasks after ${seconds} s${after === before + 400 ? ': none lost' : ': SOMETHING IS LOST'}`,
  );
  if (after !== before + 400) process.exitCode = 1;

  demoAgents({ docket, root: file('agents'), title, show });
  demoTasks({ docket, root: file('agents'), title, show });

  say('\nEvery step above is a line in .docket/queue/journal.jsonl. The last one:');
  show(fs.readFileSync(journal, 'utf8').trimEnd().split('\n').at(-1) ?? '');
} finally {
  for (const { child } of children)
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  if (process.argv.includes('--keep')) say(`\nThe folder is kept: ${root}`);
  else fs.rmSync(root, { recursive: true, force: true });
}
say(
  '\nNext: docket agents shows which agents you have; docket --help, and ARCHITECTURE.md for how it works.',
);
