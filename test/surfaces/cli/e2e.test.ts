import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** The real program, as a person or a script calls it. */
const bin = fileURLToPath(new URL('../../../bin/docket', import.meta.url));
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'docket-e2e-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function docket(args: readonly string[], options: { input?: string; env?: Record<string, string> } = {}) {
  const { CI: _ci, NO_COLOR: _color, ...inherited } = process.env;
  const env = { ...inherited, ...options.env };
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    cwd: root,
    encoding: 'utf8',
    env,
    input: options.input ?? '',
  });
  return { code: status, stdout, stderr };
}

interface Answer {
  v: number;
  ok: boolean;
  id: string;
  name: string;
  status: string;
  title: string;
  tasks: { id: string; title: string; status: string; priority: number; needs: string[] }[];
  findings: { severity: string; path: string; line?: number; fix: string }[];
  error: { code: string; message: string; fix: string };
}

function answer(args: readonly string[], input = ''): Answer {
  const { stdout } = docket([...args, '--json'], { input });
  expect(stdout.endsWith('}\n')).toBe(true);
  return JSON.parse(stdout) as Answer;
}

function bash(script: string) {
  const options = {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, BIN: bin, NODE: process.execPath },
  } as const;
  return spawnSync('bash', ['-c', `set -o pipefail; docket() { "$NODE" "$BIN" "$@"; }; ${script}`], options);
}

describe('add and list', () => {
  it('queues a task and shows it', () => {
    const added = answer(['add', 'Fix', 'the', 'login', 'test']);
    expect(added).toMatchObject({ v: 1, ok: true, status: 'queued', title: 'Fix the login test' });
    const { tasks, findings } = answer(['list']);
    expect(tasks).toMatchObject([{ id: added.id, title: 'Fix the login test', status: 'queued' }]);
    expect(findings).toEqual([]);
    const shown = docket(['list']);
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toMatch(/^\S+ +queued +\d+s +Fix the login test\n$/);
    expect(shown.stdout.startsWith(added.name)).toBe(true);
  });

  it('takes a name, a priority, needs and a key', () => {
    const first = answer(['add', 'first', '--name', 'my-first', '--key', 'k']);
    expect(first.name).toBe('my-first');
    expect(answer(['add', 'first', '--name', 'my-first', '--key', 'k']).id).toBe(first.id);
    answer(['add', 'second', '--needs', first.id, '--priority', '-7']);
    const { tasks } = answer(['list']);
    expect(tasks).toHaveLength(2);
    const second = tasks.find(({ title }) => title === 'second');
    expect(second).toMatchObject({ needs: [first.id], priority: -7 });
  });

  it('reads the text from stdin and from a file', () => {
    expect(answer(['add', '-'], 'From stdin\n\nmore\n').title).toBe('From stdin');
    writeFileSync(join(root, 'spec.md'), 'From a file\n');
    expect(answer(['add', '--file', 'spec.md']).title).toBe('From a file');
    expect(docket(['add', '--file', 'none.md'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('fix:'),
    });
  });

  it('shows only the wanted statuses', () => {
    answer(['add', 'x']);
    expect(answer(['list', '--status', 'queued']).tasks).toHaveLength(1);
    expect(answer(['list', '--status', 'done,failed']).tasks).toEqual([]);
    expect(docket(['list', '--status', 'pending'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean "queued"'),
    });
  });

  it('makes hostile titles harmless for people and exact for programs', () => {
    const title = 'a \u001B[31m \u202E \u0007 日本';
    answer(['add', title]);
    expect(docket(['list']).stdout).toContain(String.raw`a \e[31m \u{202e} \x07 日本`);
    expect(answer(['list']).tasks[0]?.title).toBe(title);
  });

  it('refuses what makes no sense with a code, a fix and no stack', () => {
    for (const [code, ...args] of [
      ['2', 'add'],
      ['2', 'add', 'x', '--priority', '101'],
      ['3', 'add', 'x', '--needs', '../x'],
    ]) {
      const refused = docket(args);
      expect(refused).toMatchObject({ code: Number(code), stdout: '' });
      expect(refused.stderr).toMatch(/^(note: .*\n)?error: .*\n(.*\n)* {2}fix: /);
      expect(refused.stderr).not.toContain('    at ');
    }
  });

  it('creates nothing when it only reads', () => {
    expect(docket(['list'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('docket add'),
    });
    expect(readdirSync(root)).toEqual([]);
  });
});

describe('--root', () => {
  it('names a folder; a missing one is not found', () => {
    mkdirSync(join(root, 'sub'));
    const { id } = answer(['add', 'x', '--root', 'sub']);
    expect(answer(['--root', join(root, 'sub'), 'list']).tasks).toMatchObject([{ id }]);
    const missing = docket(['list', '--root', 'none']);
    expect(missing).toMatchObject({ code: 3, stdout: '' });
    expect(missing.stderr).toMatch(/error: .*none.*\n {2}fix: /);
    expect(answer(['add', 'x', '--root', 'none'])).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
    expect(existsSync(join(root, 'none'))).toBe(false);
  });
});

describe('validate', () => {
  it('finds nothing wrong with what docket wrote', () => {
    answer(['add', 'x']);
    expect(docket(['validate'])).toMatchObject({ code: 0, stdout: '' });
    expect(answer(['validate'])).toMatchObject({ ok: true, findings: [] });
  });

  it('names file, line and fix of a broken file, and changes nothing', () => {
    mkdirSync(join(root, '.takt'));
    const file = join(root, '.takt', 'tasks.yaml');
    const text = 'tasks:\n  - name: [broken\n    status: pending\n';
    writeFileSync(file, text);
    const checked = docket(['validate']);
    expect(checked.code).toBe(2);
    expect(checked.stdout).toMatch(/^\.takt\/tasks\.yaml:\d+:\d+ error .+\n {2}fix: /);
    expect(answer(['validate', file])).toMatchObject({ ok: false, error: { code: 'INVALID' } });
    expect(answer(['list'])).toMatchObject({ ok: true, findings: [{ severity: expect.any(String) }] });
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(docket(['validate', 'none.yaml']).code).toBe(3);
  });
});

describe('the process', () => {
  it('answers --version without loading the program', () => {
    const coverage = join(root, 'coverage');
    expect(docket(['--version'], { env: { NODE_V8_COVERAGE: coverage } }).stdout).toMatch(
      /^\d+\.\d+\.\d+\n$/,
    );
    expect(loaded(coverage).map((file) => file.replace(/-[\w-]{8}\.js$/, ''))).toEqual([
      'bin/docket',
      'dist/cli/docket.js',
      'dist/cli/version',
    ]);
  });

  it('lists as JSON without loading what prints for people, nor zod', () => {
    answer(['add', 'x']);
    const coverage = join(root, 'coverage');
    docket(['list', '--json'], { env: { NODE_V8_COVERAGE: coverage } });
    const files = loaded(coverage);
    expect(files).toContainEqual(expect.stringMatching(/^dist\/cli\/core-/));
    expect(files.filter((file) => /zod|rows|help|completion|findings|write-/.test(file))).toEqual([]);
  });

  it('ends quietly when the reader leaves', () => {
    const left = bash('docket completion bash | true; echo "${PIPESTATUS[@]}"');
    expect([left.stdout, left.stderr]).toEqual(['0 0\n', '']);
    mkdirSync(join(root, '.takt'));
    const entries = Array.from(
      { length: 3000 },
      (_, n) =>
        `  - name: task-${n}\n    status: pending\n    content: ${'long '.repeat(40)}${n}\n` +
        `    created_at: "2026-03-01T12:00:00Z"\n    started_at: null\n    completed_at: null\n`,
    );
    writeFileSync(join(root, '.takt', 'tasks.yaml'), `tasks:\n${entries.join('')}`);
    const head = bash('docket list --quiet | head -n 1; echo "${PIPESTATUS[@]}"');
    expect(head.stdout).toMatch(/^task-\d+ .*\n0 0\n$/);
    expect(head.stderr).toBe('');
  });

  it.runIf(existsSync('/dev/full'))('says when the answer could not be written', () => {
    const full = bash('docket completion bash > /dev/full');
    expect(full.status).toBe(1);
    expect(full.stderr).toContain('cannot write the output');
  });

  it('ends with 130 when interrupted', async () => {
    const child = spawn(process.execPath, [bin, 'add', '-'], { cwd: root, stdio: ['pipe', 'pipe', 'pipe'] });
    const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve({ code, signal })));
    child.stdin.write('half a text');
    await new Promise((resolve) => setTimeout(resolve, 1000));
    child.kill('SIGINT');
    expect(await ended).toEqual({ code: 130, signal: null });
    expect(readdirSync(root)).toEqual([]);
  });

  it('tells a wrong line with 2 and a hint, as JSON when asked', () => {
    expect(docket(['lst'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('docket list'),
    });
    expect(answer(['lst'])).toMatchObject({ v: 1, ok: false, error: { code: 'USAGE' } });
    expect(docket([])).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing here yet') });
  });

  it.skipIf(process.platform === 'win32')('tells when its folder is gone', () => {
    const gone = bash('mkdir gone && cd gone && rmdir ../gone && docket list');
    expect(gone.status).toBe(3);
    expect(gone.stderr).toContain('fix:');
  });
});

/** The files of docket and its packages that a process loaded, by their place in the package. */
function loaded(coverage: string): string[] {
  const home = new URL('../../../', import.meta.url).href;
  const urls = readdirSync(coverage).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(coverage, name), 'utf8')) as {
      result: { url: string }[];
    };
    return result.map(({ url }) => url);
  });
  return urls
    .filter((url) => url.startsWith(home))
    .map((url) => url.slice(home.length))
    .toSorted();
}
