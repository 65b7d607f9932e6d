import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openDocket } from '../../dist/index.js';
import { compare, millis, number } from '../support.mjs';

const atOnce = 8;
/** Milliseconds beside the child itself that a subtask may cost. */
const most = 15;
const agent = ['/bin/sh', '-c', 'cat >/dev/null; echo \'{"status":"success","summary":"done"}\''];

/** What a subtask of a task directory costs beside its agent: order, journal, files for people, supervisor, join. */
export async function workflow({ data, rounds, quick }) {
  const subtasks = quick ? 40 : 200;
  mkdirSync(path.join(data, '.docket'));
  const config = { agents: { instant: { adapter: 'command', command: agent } } };
  writeFileSync(path.join(data, '.docket', 'config.yaml'), JSON.stringify(config));
  const app = await openDocket({ cwd: data, root: data });
  const tasks = await app.tasks();
  const found = await compare(
    Math.min(rounds, 5),
    () => millis(() => bareLoop(subtasks)),
    () => millis(() => ran(tasks, subtasks)),
  );
  await app.close();
  const each = (found.subject - found.base) / subtasks;
  return [
    {
      name: `${subtasks} subtasks, ${atOnce} at once`,
      compared: 'a controller run with instant agents against a loop that spawns the same child',
      ...found,
      aim: { most: (found.base + subtasks * most) / found.base },
      orientation: `${number(each)} ms for each subtask beside its child (aim ${most})`,
    },
  ];
}

async function ran(tasks, subtasks) {
  const { id } = await tasks.create({ title: 'bench', topology: 'swarm' });
  const actions = {
    sessionGoal: 'bench',
    tasks: Array.from({ length: subtasks }, (_, n) => ({
      taskId: `s${n}`,
      title: `subtask ${n}`,
      agent: 'worker',
      adapter: 'instant',
      prompt: 'Say that you are done.',
    })),
  };
  const { task } = await tasks.run(id, {
    kind: 'actions',
    actions: JSON.stringify(actions),
    source: 'bench',
    parallel: atOnce,
    signal: new AbortController().signal,
  });
  if (task.status !== 'done') throw new Error(`the run ended ${task.status}`);
}

async function bareLoop(subtasks) {
  let left = subtasks;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await bareRun();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

function bareRun() {
  const [program, ...args] = agent;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdout.resume();
    child.stderr.resume();
    child.on('error', reject);
    child.on('close', resolve);
    child.stdin.end('Say that you are done.');
  });
}
