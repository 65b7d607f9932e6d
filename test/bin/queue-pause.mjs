// docket that stops itself (SIGSTOP) the first time it comes to a named call: `node queue-pause.mjs CALL PATTERN …`, such as
// "before rename" "tasks.yaml$". Whoever sends SIGCONT lets it go on. The arguments behind are docket's own.
import { setProbe } from '../../dist/io/fault.js';
import { runProcess } from '../../dist/surfaces/cli/process.js';

const [wanted, pattern, ...argv] = process.argv.slice(2);
let stopped = false;
setProbe((moment, call, file) => {
  if (stopped || `${moment} ${call}` !== wanted || !new RegExp(pattern).test(file)) return;
  stopped = true;
  process.kill(process.pid, 'SIGSTOP');
});
await runProcess(argv);
