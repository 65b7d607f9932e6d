// The real command line in a night that passes quickly: `node night-docket.mjs ARGS…`, with the clock of `$NIGHT`. A run
// that is begun again, after a crash or a reboot, is in the same night.
import { setTimeout as sleep } from 'node:timers/promises';
import * as docket from '../../dist/project/docket.js';
import { dispatch } from '../../dist/surfaces/cli/dispatch.js';
import { night, now } from './night-agent/clock.mjs';

const clock = {
  now,
  sleep: (ms, signal) => sleep(ms / night.scale, undefined, { signal }).catch(() => undefined),
};
const stops = new Set();
const stop = () => {
  const asked = [...stops];
  stops.clear();
  if (asked.length === 0) process.exit(130);
  for (const listener of asked) listener();
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);

process.exitCode = await dispatch({
  argv: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  now,
  every: (ms, listener) => {
    const timer = setInterval(listener, ms / night.scale).unref();
    return () => clearInterval(timer);
  },
  onStop: (listener) => {
    stops.add(listener);
    return () => stops.delete(listener);
  },
  docket: async () => ({ ...docket, openDocket: (options) => docket.openDocket({ ...options, clock }) }),
});
