// What a newcomer does: a fresh clone of what is committed, an empty HOME, an empty npm cache, and the commands of the
// README's "Try it", as they stand there. node scripts/first-run.mjs [--first]
// --first: only the first command. The second one is all tests, and takes minutes.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'docket-first-'));
const at = (...names) => join(folder, ...names);
/** What a newcomer waits for, once everything is installed. */
const mostSeconds = 60;
let running;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => running?.kill('SIGTERM'));

try {
  for (const name of ['home', 'cache', 'tmp']) mkdirSync(at(name));
  // A temporary folder is everybody's: some tests have another user look into it.
  chmodSync(folder, 0o755);
  chmodSync(at('tmp'), 0o1777);
  writeFileSync(at('npmrc'), networkSettings());
  execFileSync('git', ['clone', '--quiet', root, at('clone')], { stdio: ['ignore', 'inherit', 'inherit'] });
  const commands = tryIt(readFileSync(at('clone', 'README.md'), 'utf8'));
  const wanted = process.argv.includes('--first') ? commands.slice(0, 1) : commands;
  for (const command of wanted) {
    const began = performance.now();
    const { code, output } = await run(command);
    const seconds = Math.round((performance.now() - began) / 1000);
    if (code !== 0) throw new Error(`${command} ended with ${code} in a fresh clone`);
    const work = Number(/^✓ .* in (\d+) s/m.exec(output)?.[1]);
    const split = Number.isNaN(work)
      ? ''
      : ` (install and build ${seconds - work} s, then ${work} s of work)`;
    console.log(`\nfirst run: ${command}: ${seconds} s${split}`);
    if (command === commands[0] && !(work < mostSeconds))
      throw new Error(`${command} must say that its work took less than ${mostSeconds} s`);
  }
  const left = readdirSync(at('home')).filter((name) => name !== '.npm');
  console.log(`first run: left in HOME: ${left.length === 0 ? 'nothing' : left.join(', ')}`);
} catch (error) {
  console.error(`first run: ${error.message}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The lines of the first block below the heading, without their comments. */
function tryIt(readme) {
  const [, block] = /^## Try it\n[^]*?^```sh\n([^]*?)^```/m.exec(readme) ?? [];
  const commands = (block ?? '')
    .split('\n')
    .map((line) => line.replace(/\s+#.*/, '').trim())
    .filter(Boolean);
  if (commands.length !== 2)
    throw new Error(`README.md has ${commands.length} commands under "Try it", not two`);
  return commands;
}

/** How this machine reaches its registry; logins stay where they are. */
function networkSettings() {
  const said = execFileSync('npm', ['config', 'list', '--json', '--loglevel=silent'], {
    encoding: 'utf8',
    cwd: root,
  });
  const wanted = /^(registry|@.+:registry|cafile|strict-ssl|proxy|https-proxy|noproxy)$/;
  return Object.entries(JSON.parse(said))
    .filter(([name, value]) => wanted.test(name) && value !== null && value !== '')
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

function run(command) {
  console.log(`\n$ ${command}`);
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|DOCKET_|XDG_|GIT_|NODE_(?!EXTRA_CA_CERTS))/i.test(name),
  );
  const own = { HOME: at('home'), TMPDIR: at('tmp') };
  const npm = { npm_config_cache: at('cache'), npm_config_userconfig: at('npmrc') };
  const [program, ...args] = command.split(' ');
  const env = { ...Object.fromEntries(kept), ...own, ...npm };
  return new Promise((resolve, reject) => {
    running = spawn(program, args, { cwd: at('clone'), env, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    running.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      process.stdout.write(text);
    });
    running.once('error', reject);
    running.once('close', (code, signal) => resolve({ code: code ?? signal, output }));
  });
}
