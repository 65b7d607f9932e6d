// Brings a checkout to the state that tests and the demo need: packages installed, dist built.
// It does only what is out of date, so every script may start with it. No dependencies: it runs before any exist.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const at = (...parts) => join(root, ...parts);
const lockFile = at('.setup.lock');
const lockWaitMs = 10 * 60_000;

const bundlers = ['scripts/bundle.mjs', 'scripts/bundle-library.mjs'];
const configs = ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json', ...bundlers];

const steps = [
  { stamp: at('node_modules', '.docket-stamp'), inputs: () => ['package-lock.json'], run: install },
  {
    stamp: at('dist', '.stamp'),
    inputs: () => [...configs, ...sources('src'), ...sources('types')],
    run: build,
  },
];

try {
  if (steps.some(isStale)) await locked(() => steps.filter(isStale).forEach(perform));
} catch (error) {
  console.error(`setup: ${error.message}`);
  process.exitCode = 1;
}

/**
 * Not `npm ci`: it refuses a lock without the optional binaries of other platforms, and a registry mirror may not have
 * them. `--no-save` installs what the lock says and leaves it alone; that the lock is up to date we check ourselves.
 */
function install() {
  const wanted = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const locked = JSON.parse(readFileSync(at('package-lock.json'), 'utf8')).packages[''];
  for (const kind of ['dependencies', 'devDependencies', 'peerDependencies']) {
    if (JSON.stringify(wanted[kind]) === JSON.stringify(locked[kind])) continue;
    throw new Error(
      `package-lock.json is behind the ${kind} of package.json: run \`npm install\` and commit both`,
    );
  }
  say('installing packages …');
  // dev packages even under NODE_ENV=production; no package here needs an install script.
  run('npm', ['install', '--no-save', '--include=dev', '--ignore-scripts', '--loglevel=error']);
}

/** Builds beside dist and swaps, so that deleted sources leave nothing behind and a failed build changes nothing. */
function build() {
  say('building …');
  rmSync(at('dist.new'), { recursive: true, force: true });
  const tsc = at('node_modules', 'typescript', 'bin', 'tsc');
  run(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', 'dist.new']);
  run(process.execPath, [at('scripts', 'bundle.mjs'), at('dist.new')]);
  rmSync(at('dist.old'), { recursive: true, force: true });
  if (existsSync(at('dist'))) renameSync(at('dist'), at('dist.old'));
  renameSync(at('dist.new'), at('dist'));
  rmSync(at('dist.old'), { recursive: true, force: true });
}

/** The hash is taken before the work: a source saved meanwhile makes the stamp stale, not wrong. */
function perform(step) {
  const hash = hashOf(step);
  step.run();
  writeFileSync(step.stamp, hash);
}

function isStale(step) {
  return readIfThere(step.stamp) !== hashOf(step);
}

function hashOf(step) {
  const hash = createHash('sha256').update(process.platform + process.arch);
  for (const path of step.inputs()) hash.update(`\0${path}\0`).update(readFileSync(at(path)));
  return hash.digest('hex');
}

function sources(folder) {
  if (!existsSync(at(folder))) return [];
  return readdirSync(at(folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
    .toSorted();
}

function run(command, args) {
  // Its stdout goes to our stderr: stdout belongs to whatever runs after us.
  const windowsNpm = process.platform === 'win32' && command === 'npm';
  const done = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], shell: windowsNpm });
  if (done.error) throw new Error(`cannot run ${command}: ${done.error.message}`);
  if (done.status !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${done.status ?? done.signal}`);
}

/** One setup at a time. The lock file appears with its pid already inside (link), so it is never half-written. */
async function locked(work) {
  const mine = `${lockFile}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    await acquire(mine);
    try {
      work();
    } finally {
      rmSync(lockFile, { force: true });
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

async function acquire(mine) {
  for (let waited = 0; ; waited += 100) {
    try {
      return linkSync(mine, lockFile);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = lockHolder();
    if (holder !== undefined && !isAlive(holder)) {
      rmSync(lockFile, { force: true });
      continue;
    }
    if (waited === 0 && holder !== undefined) say(`waiting for another setup (process ${holder}) …`);
    if (waited > lockWaitMs)
      throw new Error(`process ${holder} holds ${lockFile}; if it is not a setup, delete that file`);
    await sleep(100);
  }
}

function lockHolder() {
  const text = readIfThere(lockFile);
  return text === undefined ? undefined : Number(text);
}

/** Another setup may take a stamp or the lock away at any moment: then it is simply not there. */
function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function say(text) {
  console.error(text);
}
