import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addTasks, environment, makeProject, openProject } from '../../queue-project.mjs';
import { ms, repository } from '../../support.mjs';

const docket = path.join(repository, 'bin', 'docket');

/** Milliseconds of a processor in a minute. */
const most = 60;
/** It looks around once in a minute: in less time that look could be missed. */
const minuteMs = 60_000;

/** What `docket watch` costs while there is nothing to do. */
export async function idle({ data }) {
  const root = path.join(data, 'idle');
  makeProject(root);
  const app = await openProject(root);
  await addTasks(app, 1); // it has worked once, so all of it is loaded
  await app.close();
  const child = spawn(process.execPath, [docket, 'watch', '--root', root], {
    env: environment(root),
    stdio: 'ignore',
  });
  try {
    await sleep(40_000); // the engine tidies its memory once in the first half minute
    if (child.exitCode !== null) throw new Error(`docket watch ended with ${child.exitCode}`);
    const before = processorMs(child.pid);
    const started = performance.now();
    await sleep(minuteMs);
    const used = processorMs(child.pid) - before;
    const inMinute = (used / (performance.now() - started)) * minuteMs;
    const ratio = inMinute / most;
    return {
      name: 'an idle `docket watch`',
      compared: `its time on a processor against ${most} ms in a minute`,
      ratio,
      low: ratio,
      high: ratio,
      aim: { most: 1 },
      orientation: `${ms(inMinute)} in a minute`,
    };
  } finally {
    child.kill('SIGTERM');
    if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve));
  }
}

/** Of all its threads, as the kernel counts it. */
function processorMs(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanos = threads.map((id) => readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]);
  return nanos.reduce((sum, one) => sum + Number(one), 0) / 1e6;
}
