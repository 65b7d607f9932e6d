// Where a worker of the storm dies or falls asleep, by plan: at chosen calls to the disk, under the store's lock.
import fs from 'node:fs';
import path from 'node:path';
import { setProbe } from '../../dist/io/fault.js';

const journal = 'journal.jsonl';
const mirror = 'tasks.yaml';
const points = {
  'before-append': ['before', 'write', journal],
  'torn-append': ['before', 'write', journal],
  'after-append': ['after', 'write', journal],
  'after-flush': ['after', 'fsync', journal],
  'before-mirror': ['before', 'rename', mirror],
  'after-mirror': ['after', 'rename', mirror],
};

/** From command `n` on. What the log says has happened already does not happen again in the next life. */
export function arm(plan, n, memory, log) {
  const death = plan.deaths.find((one, index) => one.n <= n && !memory.deaths.has(index));
  const index = plan.deaths.indexOf(death);
  const stops = plan.stopFrom !== undefined && plan.stopFrom <= n && !memory.stopped;
  if (!death && !stops) return setProbe(undefined);
  setProbe((moment, call, file) => {
    const name = path.basename(file);
    const at = (point) => points[point].every((part, which) => part === [moment, call, name][which]);
    if (stops && !memory.stopped && at('before-append')) {
      memory.stopped = true;
      log({ t: 'stop' });
      fs.writeSync(1, 'stopped\n');
      process.kill(process.pid, 'SIGSTOP');
    } else if (death && at(death.point)) {
      log({ t: 'death', index, point: death.point });
      // What the kernel leaves of a write that was cut short. A later writer has to see that it was never promised.
      if (death.point === 'torn-append') fs.appendFileSync(file, '{"v":1,"seq":99999,"at":"2026-');
      process.kill(process.pid, 'SIGKILL');
    }
  });
}
