// Breaks one decision of the source at a time and runs the tests that should notice: `npm run test:mutants`.
// Each mutation is tried in a copy of the repository, so a killed run leaves nothing behind in yours.
//   node scripts/mutants.mjs [--only TEXT] [--json]
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const copied = [
  'src',
  'test',
  'types',
  'prompts',
  'facets',
  'workflows',
  'configs',
  'schemas',
  'package.json',
];
const settings = ['tsconfig.json', 'vitest.config.ts', 'vitest.long.config.ts'];
// Decisions that must not change unnoticed. `from` stands exactly once in its file; `why` excuses a survivor.
const list = JSON.parse(readFileSync(path.join(root, 'test/mutants.json'), 'utf8'));
const mutants = list.flatMap(({ file, tests, mutants: own }) => own.map((one) => ({ file, tests, ...one })));
const atOnce = 2;
const longestMs = 120_000;
const wanted = 0.9;

const { values } = parseArgs({ options: { only: { type: 'string' }, json: { type: 'boolean' } } });
const chosen = mutants.filter(
  ({ name, file }) => values.only === undefined || `${file} ${name}`.includes(values.only),
);
const wrong = chosen.flatMap((one) => problemOf(one) ?? []);
if (wrong.length > 0) {
  console.error(`The list does not fit the source any more:\n${wrong.join('\n')}`);
  process.exit(2);
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());
const waiting = [...chosen];
const results = [];
await Promise.all(Array.from({ length: Math.min(atOnce, waiting.length) }, work));
report();

async function work() {
  const copy = mkdtempSync(path.join(tmpdir(), 'docket-mutants-'));
  try {
    for (const name of [...copied, ...settings])
      cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
    symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
    for (let one = waiting.shift(); one && !stop.signal.aborted; one = waiting.shift())
      results.push(await tried(one, copy));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

async function tried(mutant, copy) {
  const file = path.join(copy, mutant.file);
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replace(mutant.from, () => mutant.to),
  );
  try {
    const killed = await testsFail(mutant.tests, copy);
    if (!values.json) console.log(`${killed ? 'killed  ' : 'SURVIVED'}  ${mutant.file}: ${mutant.name}`);
    return { ...mutant, killed };
  } finally {
    writeFileSync(file, text);
  }
}

/** A mutant that makes its tests hang is noticed, too. */
function testsFail(tests, cwd) {
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [vitest, 'run', '--bail=1', '--reporter=dot', ...tests], {
      cwd,
      env: { ...process.env, DOCKET_TEST_WITHOUT_DIST: '1' },
      stdio: 'ignore',
      timeout: longestMs,
      signal: stop.signal,
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code !== 0));
  });
}

function problemOf({ file, name, from, tests }) {
  const found = readFileSync(path.join(root, file), 'utf8').split(from).length - 1;
  if (found !== 1) return `${file}: ${name}: its text stands there ${found} times`;
  return tests.length === 0 ? `${file}: ${name}: no test is named` : undefined;
}

function report() {
  const survivors = results.filter(({ killed }) => !killed);
  const share = results.length === 0 ? 1 : 1 - survivors.length / results.length;
  if (values.json) console.log(JSON.stringify({ v: 1, ok: share >= wanted, share, results }, null, 2));
  else {
    const folders = grouped(results);
    for (const [folder, all] of folders) {
      console.log(`${folder}: ${all.filter(({ killed }) => killed).length} of ${all.length} killed`);
    }
    for (const { file, name, why } of survivors)
      console.log(`survivor: ${file}: ${name}${why ? ` (${why})` : ''}`);
    console.log(
      `${results.length - survivors.length} of ${results.length} killed (${Math.round(share * 100)} %)`,
    );
  }
  if (share < wanted || results.length < chosen.length) process.exitCode = 1;
}

function folderOf({ file }) {
  return file.split('/').slice(0, 2).join('/');
}

function grouped(all) {
  const groups = {};
  for (const one of all) (groups[folderOf(one)] ??= []).push(one);
  return Object.entries(groups);
}
