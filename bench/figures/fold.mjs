import { spawnSync } from 'node:child_process';
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { encodeLine } from '../../dist/store/codec.js';
import { newTask } from '../store.mjs';
import { compare, mebibytes, number } from '../support.mjs';

const program = fileURLToPath(new URL('../bin/fold.mjs', import.meta.url));
const eventsPerTask = 20;
/** Tasks that are under way at the same time: their events stand mixed in the journal. */
const atOnce = 100;

const lease = { kind: 'process', host: 'build-7 pid:[4026531836]', pid: 40_000, startTime: '84213377' };
const boot = '5f0c3e0e-4b7e-4c54-9b5a-0d3a3c1f5a11';
const attempt = [
  ['task.started', { owner: 'worker-1', lease: { ...lease, bootId: boot } }],
  [
    'task.blocked',
    {
      reason: {
        kind: 'limit',
        text: `the provider asked us to wait. ${'It was busy. '.repeat(4)}`,
        who: 'docket',
      },
    },
  ],
  [
    'task.requeued',
    { reason: `the provider answers again; the attempt goes on where it stopped. ${boot} ${boot}` },
  ],
];
const ending = [
  ['task.started', { owner: 'worker-1', lease: { ...lease, bootId: boot } }],
  [
    'task.submitted',
    { summary: 'A timer was not awaited; it is now. The test ran a hundred times without a failure.' },
  ],
  [
    'task.returned',
    { reason: `the linter found an unused import in the changed file, see the report. ${boot}` },
  ],
  [
    'task.done',
    { summary: 'A timer was not awaited; it is now. The unused import is gone.', verdict: { kind: 'pass' } },
  ],
];
const life = [...attempt, ...attempt, ...attempt, ...attempt, ...attempt, ...ending];

/** What opening costs when there is no snapshot: the whole past, line by line. */
export async function fold({ data, rounds, quick }) {
  const tasks = quick ? 5000 : 50_000;
  const events = tasks * eventsPerTask;
  const file = path.join(data, 'journal.jsonl');
  writeJournal(file, tasks);
  const peaks = [];
  const took = (way) => {
    const child = spawnSync(process.execPath, [program, way, file], { encoding: 'utf8' });
    if (child.status !== 0) throw new Error(`fold.mjs ${way}: ${child.stderr}`);
    const answer = JSON.parse(child.stdout);
    if (answer.count !== events) throw new Error(`fold.mjs ${way} read ${answer.count} of ${events} events`);
    if (way === 'fold') peaks.push(answer.peak);
    return answer.took;
  };
  const found = await compare(
    rounds,
    () => took('parse'),
    () => took('fold'),
  );
  const { size } = statSync(file);
  const perLine = number(size / events);
  return [
    {
      name: 'fold of the journal',
      compared: `${number(events)} events of ${number(tasks)} tasks (${perLine} bytes a line) against JSON.parse of the same lines`,
      ...found,
      aim: { most: 1.5 },
      orientation: `${number(found.subject / 1000)} s; parse ${number(found.base / 1000)} s; file ${mebibytes(size)}, peak memory of the fold ${mebibytes(Math.max(...peaks))}`,
    },
  ];
}

function writeJournal(file, tasks) {
  const fd = openSync(file, 'w');
  writeSync(fd, encodeLine({ docket: 'journal', v: 1, store: 'bench', base: 0 }));
  let seq = 0;
  const line = (type, taskId, data) => {
    seq += 1;
    const at = new Date(1_767_254_400_000 + seq * 1000).toISOString();
    return encodeLine({ v: 1, seq, at, type, taskId, by: 'worker-1', data });
  };
  for (let first = 0; first < tasks; first += atOnce) {
    const ids = Array.from(
      { length: atOnce },
      (_, index) => `0kx3m5p7q${String(first + index).padStart(7, '0')}`,
    );
    const lines = ids.map((id) => line('task.created', id, newTask(id)));
    for (const [type, data] of life) lines.push(...ids.map((id) => line(type, id, data)));
    writeSync(fd, lines.join(''));
  }
  closeSync(fd);
}
