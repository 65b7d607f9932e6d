// Holds `docket mcp` against the protocol's own inspector, as a client that is not ours: what it lists, and every tool with
// good and with bad input. Over stdio, in a scratch project with a HOME of its own. (The official conformance package
// asks servers over HTTP only, and docket has none.)
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ask } from './mcp-check/inspector.mjs';
import { installPinned } from './pinned-install.mjs';

const docket = [process.execPath, fileURLToPath(new URL('../bin/docket', import.meta.url))];
const pins = new URL('mcp-check/pins.json', import.meta.url);
const names = ['list', 'show', 'create', 'claim', 'report', 'ask'].map((name) => `docket_${name}`);
const proof = 'src/a.ts changed; ran `npm test`: 12 passed';

/** Tool, input, and what the answer has. They build on one another: T-001 is made, claimed, reported on and asked about. */
const good = [
  ['docket_list', {}, { total: 0 }],
  ['docket_create', { text: 'Fix the login\n\nIn src/.', key: 'k' }, { kind: 'queue', trust: 'low' }],
  ['docket_create', { text: 'Fix the login\n\nIn src/.', key: 'k' }, { kind: 'queue', existing: true }],
  ['docket_create', { text: 'Write the docs', where: 'board' }, { kind: 'board', id: 'T-001' }],
  ['docket_claim', { id: 'T-001' }, { id: 'T-001', owner: 'inspector' }],
  ['docket_report', { id: 'T-001', outcome: 'progress', text: 'Half of it' }, { status: 'claimed' }],
  ['docket_report', { id: 'T-001', outcome: 'done', text: proof }, { status: 'review', accepted: false }],
  ['docket_ask', { question: 'Which licence?' }, { id: 'T-002', status: 'blocked' }],
  ['docket_list', { kind: 'board' }, { total: 2 }],
  ['docket_show', { id: 'T-002' }, { id: 'T-002', trust: 'low' }],
];

/** Tool, input, and the code of the error. */
const bad = [
  ['docket_list', { limit: 0 }, 'INVALID'],
  ['docket_show', { id: '../../etc/passwd' }, 'INVALID'],
  ['docket_show', { id: 'nope' }, 'NOT_FOUND'],
  ['docket_create', { text: 'Something else', key: 'k' }, 'CONFLICT'],
  ['docket_create', { text: 'x', trust: 'high' }, 'INVALID'],
  ['docket_claim', { id: 'T-002' }, 'NEEDS_PERSON'],
  ['docket_report', { id: 'T-001', outcome: 'approved', text: 'yes' }, 'INVALID'],
  ['docket_ask', { question: 'Which?', id: 'T-009' }, 'NOT_FOUND'],
];

const cache = await installPinned(pins, (text) => console.error(text));
const scratch = mkdtempSync(join(tmpdir(), 'docket-mcp-'));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));

const [home, root] = [join(scratch, 'home'), join(scratch, 'project')];
for (const folder of [home, root]) mkdirSync(folder);
const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: home, TMPDIR: scratch, LANG: 'C.UTF-8' };
const made = spawnSync(docket[0], [docket[1], '--root', root, 'board', 'init'], { env, encoding: 'utf8' });
assert.equal(made.status, 0, made.stderr);
const { program } = JSON.parse(readFileSync(pins, 'utf8')).inspector;
const client = {
  program: join(cache, 'inspector', program),
  server: [...docket, 'mcp', '--as', 'inspector', '--root', root],
  env,
  cwd: root,
};

const listed = await ask(client, '--method', 'tools/list', '--strict');
assert.equal(listed.code, 0, `a schema that not every client takes:\n${listed.said}`);
const { tools } = JSON.parse(listed.out).result;
assert.deepEqual(
  tools.map(({ name }) => name),
  names,
);
for (const [name, input, expected] of good) {
  const { result, code, about } = await called(name, input);
  assert.equal(code, 0, about);
  assert.deepEqual({ ...result.structuredContent, ...expected }, result.structuredContent, about);
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent, about);
}
for (const [name, input, expected] of bad) {
  const { result, about } = await called(name, input);
  assert.equal(result.isError, true, about);
  const { error } = JSON.parse(result.content[0].text);
  assert.equal(error.code, expected, about);
  assert.ok(error.message && error.fix, about);
}
console.log(
  `mcp: the inspector lists ${names.length} tools; ${good.length} good and ${bad.length} bad calls`,
);

async function called(name, input) {
  const words = ['--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(input)];
  const { code, out, said } = await ask(client, ...words);
  const about = `${name} ${JSON.stringify(input)}: exit code ${code}\n${out}${said}`;
  assert.notEqual(out, '', about);
  return { result: JSON.parse(out).result, code, about };
}
