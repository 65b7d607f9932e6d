// How many source files a command really runs through: those of which at least one function is called, by V8's coverage of
// the unbundled build in a small project. `npm run touched`; `-- --files add` also lists the files of one command.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const source = pathToFileURL(dist).href;
const main = join(dist, 'surfaces', 'cli', 'main.js');
const listed = process.argv[process.argv.indexOf('--files') + 1];
const scratch = mkdtempSync(join(tmpdir(), 'docket-touched-'));

/** What a line runs through. What comes before it is done without being counted. */
const lines = {
  add: { line: ['add', 'x'] },
  run: { before: [['add', 'x']], line: ['run'] },
  'say done': {
    before: [
      ['say', 'create task T-001: x'],
      ['say', '--as', 'coder', 'claim T-001'],
    ],
    line: ['say', '--as', 'coder', 'mark done T-001: src/a.ts changed, npm test passed'],
  },
  status: {
    before: [
      ['add', 'x'],
      ['say', 'create task T-001: x'],
      ['packet', 'new', '--goal', 'x'],
    ],
    line: ['status'],
  },
  list: { before: [['add', 'x']], line: ['list'] },
};

try {
  for (const [name, { before = [], line }] of Object.entries(lines)) {
    const root = project(name);
    for (const words of before) docket(root, words);
    const { code, files } = covered(root, line);
    const byFolder = Object.entries(counted(files.map((file) => file.split('/')[0])))
      .toSorted(([, a], [, b]) => b - a)
      .map(([folder, count]) => `${folder} ${count}`);
    console.log(
      `${name.padEnd(9)} ${String(files.length).padStart(4)} files  (exit ${code})  ${byFolder.join(', ')}`,
    );
    if (listed === name) console.log(files.toSorted((a, b) => (a < b ? -1 : 1)).join('\n'));
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** A repository with one agent that does its work at once. */
function project(name) {
  const root = join(scratch, name.replace(' ', '-'));
  mkdirSync(join(root, '.docket'), { recursive: true });
  const agent = { adapter: 'command', command: ['sh', '-c', 'cat > /dev/null; echo y > a.txt; echo Done.'] };
  writeFileSync(
    join(root, '.docket', 'config.yaml'),
    JSON.stringify({ agents: { one: agent }, defaultAgent: 'one' }),
  );
  writeFileSync(join(root, 'a.txt'), 'x\n');
  const git = (...words) => spawnSync('git', ['-C', root, ...words], { stdio: 'ignore' });
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '--quiet', '-m', 'one');
  return root;
}

function docket(root, words, more = {}) {
  const env = {
    PATH: process.env.PATH,
    HOME: scratch,
    XDG_STATE_HOME: join(scratch, 'state'),
    LANG: 'C.UTF-8',
    ...more,
  };
  return spawnSync(process.execPath, [main, ...words], { cwd: root, env, encoding: 'utf8' });
}

function covered(root, words) {
  const folder = join(root, 'coverage');
  const { status } = docket(root, words, { NODE_V8_COVERAGE: folder });
  const files = new Set();
  for (const name of readdirSync(folder))
    for (const { url, functions } of JSON.parse(readFileSync(join(folder, name), 'utf8')).result)
      if (url.startsWith(source) && functions.some(isCalled))
        files.add(url.slice(source.length).replace(/\.js$/, '.ts'));
  return { code: status, files: [...files] };
}

/** The first function of a module is the module itself: it has no name and begins at 0. */
function isCalled({ functionName, ranges: [{ startOffset, count }] }) {
  return count > 0 && !(functionName === '' && startOffset === 0);
}

function counted(words) {
  const counts = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
