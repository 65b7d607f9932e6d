// Brings programs of pinned versions into a cache folder outside the repository. Each has a folder of its own that appears
// whole or not at all, so a killed install leaves nothing that looks ready, and two at once do no harm.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const platform = `${process.platform}-${process.arch}`;
export const triples = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
};

/** The folder that has one for each name in the file of pins. Throws one error that names every program that could not be installed. */
export async function installPinned(pinsFile, say) {
  const text = readFileSync(pinsFile, 'utf8');
  const root = process.env['DOCKET_AGENTS_CACHE'] ?? join(homedir(), '.cache', 'docket-agents');
  const hash = createHash('sha256').update(`${text}\0${platform}`).digest('hex').slice(0, 16);
  const cache = join(root, hash);
  mkdirSync(cache, { recursive: true });
  const problems = [];
  // One after the other: they share npm's own cache, and the wire is the bottleneck.
  for (const [name, pin] of Object.entries(JSON.parse(text))) {
    try {
      await installOne(cache, name, pin, say);
    } catch (error) {
      problems.push(`${name} ${pin.version}: ${error.message}`);
    }
  }
  if (problems.length > 0) throw new Error(`cannot install\n  ${problems.join('\n  ')}`);
  return cache;
}

async function installOne(cache, name, pin, say) {
  const place = join(cache, name);
  const program = fill(pin.program);
  if (existsSync(join(place, program))) return;
  removeLeftovers(cache, name);
  const temp = join(cache, `.${name}-${process.pid}`);
  try {
    say(`installing ${name} ${pin.version} …`);
    mkdirSync(temp);
    const wanted = { private: true, dependencies: { [fill(pin.package)]: pin.version } };
    writeFileSync(join(temp, 'package.json'), JSON.stringify(wanted));
    await npmInstall(temp);
    // The programs are optional packages of their platform: npm says nothing when one is missing.
    if (!existsSync(join(temp, program)))
      throw new Error(`npm installed it, but ${program} is not there; does the registry have that package?`);
    adopt(temp, place, program);
  } finally {
    rmSync(temp, { recursive: true, force: true });
  }
}

function adopt(temp, place, program) {
  try {
    renameSync(temp, place);
  } catch (error) {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    // Another install was faster, or somebody emptied the folder by half.
    if (existsSync(join(place, program))) return;
    rmSync(place, { recursive: true, force: true });
    renameSync(temp, place);
  }
}

/** What a killed install left; one that still runs is left alone. */
function removeLeftovers(cache, name) {
  for (const entry of readdirSync(cache)) {
    const pid = new RegExp(`^\\.${name}-(\\d+)$`).exec(entry)?.[1];
    if (pid !== undefined && !isAlive(Number(pid)))
      rmSync(join(cache, entry), { recursive: true, force: true });
  }
}

function npmInstall(cwd) {
  // One of them asks for a newer Node in its `engines` and works on ours all the same: it runs its own binary.
  const args = [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-package-lock',
    '--no-update-notifier',
    '--engine-strict=false',
    '--loglevel=error',
  ];
  return new Promise((resolve, reject) => {
    const child = spawn('npm', args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    let told = '';
    child.stderr.setEncoding('utf8').on('data', (text) => (told = (told + text).slice(-2000)));
    child.on('error', (error) => reject(new Error(`cannot run npm: ${error.message}`)));
    child.on('close', (code, signal) => {
      if (code === 0) return resolve();
      const why = told.trim().split('\n').slice(0, 5).join(' | ');
      return reject(new Error(`npm install ended with ${code ?? signal}: ${why}`));
    });
  });
}

function fill(text) {
  return text.replaceAll('{platform}', platform).replaceAll('{triple}', triples[platform]);
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
