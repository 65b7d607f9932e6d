// What users get: packs the package, installs it into an empty folder with an empty home, and uses it there as a program,
// with npx, as a library and from TypeScript. Needs a network or a filled npm cache. `node scripts/package-check.mjs`
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { isBuiltin } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('..', import.meta.url));
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-package-'));
const [home, user, project] = ['home', 'user', 'project'].map((name) => path.join(dir, name));
const cache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim();
const env = {
  PATH: process.env.PATH,
  HOME: home,
  npm_config_cache: cache,
  npm_config_prefer_offline: 'true',
  npm_config_update_notifier: 'false',
  npm_config_fund: 'false',
  npm_config_audit: 'false',
};

/** What travels, is unpacked, and is on disk with all dependencies: who adds more has a reason, and changes this. */
const most = { bytes: 1_250_000, files: 1_000, installedMegabytes: 40, packages: 30 };
const needed = [
  'bin/docket',
  'dist/cli/docket.js',
  'dist/cli/library.js',
  'dist/cli/LICENSE-agentclientprotocol-sdk',
  'dist/cli/LICENSE-get-east-asian-width',
  'dist/cli/LICENSE-valibot',
  'dist/types/index.d.ts',
  'dist/engine/mask-output.js',
  'dist/io/network/forward.js',
  'dist/adapters/script/agent.js',
  'docs/config.md',
  'docs/formats/queue.md',
  ...fs
    .readdirSync(path.join(repository, 'schemas'), { recursive: true })
    .filter((name) => name.endsWith('.json'))
    .map((name) => `schemas/${name.replaceAll(path.sep, '/')}`),
  'workflows/quick.yaml',
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
];
const unwanted =
  /^(src|test|scripts|bench|node_modules)\/|\.(map|tsbuildinfo|tgz)$|(^|\/)\.(stamp|env)|^(?!demo\/).*\.test\./;

try {
  for (const folder of [home, user, project]) fs.mkdirSync(folder);
  const tarball = pack();
  run(user, 'npm', ['init', '--yes']);
  run(user, 'npm', ['pkg', 'set', 'type=module']);
  run(user, 'npm', ['install', '--omit=dev', '--ignore-scripts', tarball]);
  weigh();
  lookForMissingPackages();
  useAsProgram(path.join(user, 'node_modules/.bin/docket'));
  useWithNpx(tarball);
  useAsLibrary();
  useFromTypeScript();
  console.log('the package is whole: program, npx, library and types work from the tarball');
} finally {
  fs.rmSync(dir, { recursive: true, force: true });
}

function pack() {
  const said = run(repository, 'npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', dir]);
  const [{ filename, size, files }] = JSON.parse(said);
  const names = files.map((file) => file.path);
  const missing = needed.filter((name) => !names.includes(name));
  assert.deepEqual(missing, [], 'files that are missing in the package');
  const extra = names.filter((name) => unwanted.test(name));
  assert.deepEqual(extra, [], 'files that nobody needs');
  console.log(`${filename}: ${size} bytes, ${names.length} files`);
  assert.ok(size <= most.bytes && names.length <= most.files, 'the package has grown');
  return path.join(dir, filename);
}

/** What an installation costs, without the optional peers, which nobody gets unasked. */
function weigh() {
  const megabytes = Number.parseInt(run(user, 'du', ['-sm', 'node_modules']), 10);
  const packages = run(user, 'npm', ['ls', '--all', '--parseable']).trim().split('\n').length - 1;
  console.log(`installed: ${megabytes} MB in ${packages} packages`);
  assert.ok(megabytes <= most.installedMegabytes, `more than ${most.installedMegabytes} MB are installed`);
  assert.ok(packages <= most.packages, `more than ${most.packages} packages are installed`);
}

/** A package that is installed here for development alone would be missing for users, when they first need it. */
function lookForMissingPackages() {
  const home = path.join(user, 'node_modules/docket');
  const { dependencies, peerDependencies } = JSON.parse(
    fs.readFileSync(path.join(home, 'package.json'), 'utf8'),
  );
  const known = new Set(Object.keys({ ...dependencies, ...peerDependencies }));
  const imported = /(?:\bfrom|\bimport)\s*\(?\s*["'`]((?:@[\w-]+\/)?\w[\w.-]*)(?:\/[\w./-]+)?["'`]/g;
  const files = fs.readdirSync(path.join(home, 'dist'), { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.js')))
    for (const [, name] of fs.readFileSync(path.join(home, 'dist', file), 'utf8').matchAll(imported))
      assert.ok(known.has(name) || isBuiltin(name), `dist/${file} imports ${name}, which users do not get`);
}

/** The first minutes of a user: an empty folder, docket init, a task, a run. */
function useAsProgram(docket) {
  const scenario = `rules:
  - steps:
      - edit: { path: hello.txt, write: "Hello\\n" }
      - report: { status: success, summary: Wrote a greeting., changes: [hello.txt] }
`;
  assert.match(run(project, docket, ['--help']), /Usage: docket/);
  run(project, 'git', ['init', '--quiet', '--initial-branch=main']);
  assert.equal(answer(docket, 'init', '--agents-md').files.length, 3);
  fs.writeFileSync(path.join(project, 'scenario.yaml'), scenario);
  const agents = 'agents: { actor: { adapter: script, command: [./scenario.yaml] } }\ndefaultAgent: actor\n';
  fs.appendFileSync(path.join(project, '.docket/config.yaml'), agents);
  assert.deepEqual(answer(docket, 'validate').findings, []);
  const who = ['-c', 'user.name=ann', '-c', 'user.email=ann@example.com'];
  run(project, 'git', ['add', '.']);
  run(project, 'git', [...who, 'commit', '--quiet', '-m', 'Begin']);
  const { id } = answer(docket, 'add', 'Greet the world', '--worktree');
  const [ran] = answer(docket, 'run').tasks;
  assert.deepEqual([ran.id, ran.status], [id, 'done']);
  assert.match(run(project, docket, ['diff', id]), /\+Hello/);
  assert.equal(answer(docket, 'doctor').ok, true);
}

function useWithNpx(tarball) {
  const empty = path.join(dir, 'empty');
  fs.mkdirSync(empty);
  assert.match(
    run(empty, 'npx', ['--yes', `--package=${tarball}`, 'docket', '--version']),
    /^\d+\.\d+\.\d+$/m,
  );
  assert.deepEqual(fs.readdirSync(empty), []);
}

function useAsLibrary() {
  fs.copyFileSync(path.join(repository, 'examples/library.mjs'), path.join(user, 'library.mjs'));
  const said = run(user, process.execPath, ['library.mjs', project, 'Greet again']);
  assert.match(said, /is done: /);
}

function useFromTypeScript() {
  const options = { module: 'nodenext', target: 'es2023', strict: true, noEmit: true, skipLibCheck: false };
  const typeRoots = [path.join(repository, 'node_modules/@types')];
  const compilerOptions = { ...options, exactOptionalPropertyTypes: true, types: ['node'], typeRoots };
  fs.writeFileSync(path.join(user, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
  fs.writeFileSync(
    path.join(user, 'use.ts'),
    `import { open, DocketError, type Docket, type RunProgress } from 'docket';
const docket: Docket = await open({ root: '.' });
const kinds: RunProgress['kind'][] = [];
const ran = await docket.run({ parallel: 2, onProgress: ({ kind }) => kinds.push(kind) });
const words: string[] = ran.map(({ task }) => task.status === 'blocked' ? task.reason.text : task.title);
// @ts-expect-error: types are more than any
await docket.list({ status: ['nonsense'] });
try { console.log(words, (await docket.explain('x')).cause.text); }
catch (error) { if (error instanceof DocketError) console.log(error.code, error.fix); }
`,
  );
  run(user, path.join(repository, 'node_modules/.bin/tsc'), ['-p', '.']);
}

function answer(docket, ...args) {
  return JSON.parse(run(project, docket, [...args, '--json']));
}

function run(cwd, program, args) {
  try {
    return execFileSync(program, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    throw new Error(`${program} ${args.join(' ')}: ${error.stdout ?? ''}${error.stderr ?? ''}`, {
      cause: error,
    });
  }
}
