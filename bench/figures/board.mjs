import { appendFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { boardLayout } from '../../dist/kinds/board/format/layout.js';
import { openFileStore } from '../../dist/store/file/file-store.js';
import { compare, mebibytes, ms, number } from '../support.mjs';
import { medianStart } from './start.mjs';

const docket = fileURLToPath(new URL('../../bin/docket', import.meta.url));
const started = Date.parse('2026-03-01T08:00:00Z');

/** One command on a board of ever more tasks, as its users give it, against a node that does nothing. */
export async function board({ data, rounds, quick }) {
  const rows = [];
  for (const tasks of quick ? [10, 1000] : [10, 1000, 10_000]) {
    const root = path.join(data, String(tasks));
    await fill(root, tasks);
    let [claimed, done] = [tasks, tasks];
    const commands = {
      status: () => ['board', 'status'],
      create: () => ['say', 'create task: Mend the gate'],
      // Those that were created here.
      claim: () => ['say', `claim ${idFor((claimed += 1))}`, '--as', 'coder'],
      done: () => [
        'say',
        `done ${idFor((done += 1))}: all tests pass, the log is in logs/run.log`,
        '--as',
        'coder',
      ],
    };
    for (const [verb, argv] of Object.entries(commands))
      rows.push(await against(root, tasks, verb, rounds, argv));
  }
  return rows;
}

function idFor(n) {
  return `T-${String(n).padStart(3, '0')}`;
}

async function against(root, tasks, verb, rounds, argv) {
  const found = await compare(
    rounds,
    () => medianStart(3, ['-e', '0']),
    () => medianStart(1, [docket, '--root', root, ...argv()]),
  );
  const size = mebibytes(statSync(path.join(root, 'state', 'tasks.snapshot.json')).size);
  const orientation = `${ms(found.subject)}; node ${ms(found.base)}; snapshot ${size}`;
  const name = `\`docket\`: board, ${verb}, ${number(tasks)} tasks`;
  return { name, compared: 'against `node -e 0`', ...found, aim: { most: 2.5 }, orientation };
}

/** As the format's first tool leaves a board; a third of its tasks waits, the others were done, or are blocked. */
async function fill(root, tasks) {
  mkdirSync(path.join(root, 'state'), { recursive: true });
  mkdirSync(path.join(root, 'logs'));
  writeFileSync(path.join(root, 'logs', 'run.log'), 'all tests pass\n'); // the evidence that its tasks name
  const lines = [];
  const add = (taskId, type, payload) => {
    const at = `${new Date(started + lines.length * 1000).toISOString().slice(0, 19)}Z`;
    const eventId = `00000000-0000-4000-8000-${String(lines.length).padStart(12, '0')}`;
    const line = { eventId, taskId, type, messageType: '[TASK]', actor: 'orchestrator', at, payload };
    lines.push(`${JSON.stringify(line)}\n`);
  };
  for (let n = 1; n <= tasks; n += 1) {
    const id = idFor(n);
    add(id, 'task_created', { title: `Find out why the login test ${n} fails`, assigneeHint: 'coder' });
    if (n <= tasks / 3) continue;
    add(id, 'task_claimed', { from: 'pending', to: 'claimed', owner: 'coder' });
    if (n % 10 === 0) add(id, 'task_blocked', { from: 'claimed', to: 'blocked', reason: 'no access' });
    else add(id, 'task_done', { from: 'claimed', to: 'done', result: 'the log is in logs/run.log' });
  }
  appendFileSync(path.join(root, 'state', 'tasks.jsonl'), lines.join(''));
  const store = await openFileStore({
    root,
    dir: path.join(root, '.docket', 'board'),
    layout: boardLayout,
  });
  await store.close();
}
