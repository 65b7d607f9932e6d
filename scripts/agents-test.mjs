// Runs test/agents: the real CLIs of the vendors against a scripted model. What needs the network (installing them) is
// done first; then everything else happens in a namespace that has loopback, its own processes, and nothing else.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPinned, platform, triples } from './pinned-install.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const say = (text) => console.error(text);

// A PID namespace: what a CLI leaves running dies with the suite, and no test can see or signal what is not its own.
// And it dies with us, however we end.
const unshare = ['setpriv', '--pdeathsig', 'KILL', 'unshare'];
unshare.push('--net', '--pid', '--fork', '--kill-child', '--mount-proc');
if (process.getuid() !== 0) unshare.push('--map-root-user');

try {
  if (triples[platform] === undefined)
    throw new Error(`the agents' suite runs on Linux (x64, arm64) only; this is ${platform}`);
  checkNamespace();
  const clis = await installPinned(new URL('../test/agents/clis/pins.json', import.meta.url), say);
  process.exitCode = await runInside(clis, process.argv.slice(2));
} catch (error) {
  say(`agents: ${error.message}`);
  process.exitCode = 1;
}

/** Before the download: a kernel that forbids it would make it all for nothing. */
function checkNamespace() {
  const [command, ...args] = [...unshare, 'sh', '-c', 'ip link set lo up && ip -o link show up dev lo'];
  const done = spawnSync(command, args, { encoding: 'utf8' });
  if (done.status === 0) return;
  const why = (done.error?.message ?? done.stderr).trim().split('\n').at(-1);
  throw new Error(
    `this machine does not let us make a network and PID namespace (${why}); the suite never runs without one. ` +
      'It needs unshare and setpriv (util-linux) and ip (iproute2), and either root or unprivileged user namespaces ' +
      '(sysctl kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0).',
  );
}

async function runInside(clis, more) {
  const scratch = mkdtempSync(join(tmpdir(), 'docket-agents-'));
  try {
    const home = join(scratch, 'home');
    mkdirSync(home);
    // What copilot unpacks at its first start is a part of the installed program: it stays for the next time.
    mkdirSync(join(clis, 'unpacked'), { recursive: true });
    const env = {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      HOME: home,
      TMPDIR: scratch,
      LANG: 'C.UTF-8',
      TERM: process.env['TERM'] ?? 'dumb',
      DOCKET_AGENTS_CLIS: clis,
      ...(process.env['CI'] !== undefined && { CI: process.env['CI'] }),
    };
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    if (!existsSync(vitest)) throw new Error('vitest is not installed; run node scripts/setup.mjs');
    const inside = [process.execPath, vitest, 'run', '--config', 'vitest.agents.config.ts', ...more];
    // Not `exec`: the shell stays process 1 and reaps what loses its parent, as an init does.
    return await ended([...unshare, 'sh', '-c', 'ip link set lo up && "$@"', 'sh', ...inside], env);
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Passes signals on and waits, so that the scratch folder goes away also after Ctrl-C. */
function ended([command, ...args], env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env, stdio: 'inherit' });
    const stop = () => child.kill('SIGKILL');
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}
