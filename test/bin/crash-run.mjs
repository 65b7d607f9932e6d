// docket that dies at its n-th call to the disk, before or after it: `node crash-run.mjs N MOMENT run …`. The arguments
// behind are docket's own.
import { setProbe } from '../../dist/io/fault.js';
import { runProcess } from '../../dist/surfaces/cli/process.js';

const [at, moment, ...argv] = process.argv.slice(2);
let calls = 0;
setProbe((now) => {
  if (now !== moment) return;
  calls += 1;
  if (calls === Number(at)) process.kill(process.pid, 'SIGKILL');
});
await runProcess(argv);
