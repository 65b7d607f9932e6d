import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDocket } from '../../dist/index.js';
import { compare, millis, ms, number, repository } from '../support.mjs';
import { medianStart } from './start.mjs';

const docket = path.join(repository, 'bin', 'docket');
/** Milliseconds beside the agent itself that a stage may cost. */
const most = 60;
const stages = ['gemini_brief', 'codex_impl', 'codex_verify', 'gemini_review'];

/** What a stage of a packet costs beside its agent: compose, redact, snapshot, journal, gate, files for people. */
export async function packet({ data, rounds, quick }) {
  const packets = quick ? 2 : 5;
  const command = prepare(data);
  const app = await openDocket({ cwd: data, root: data, env: { PATH: process.env.PATH, HOME: data } });
  const api = await app.packets();
  const found = await compare(
    rounds,
    () => millis(() => times(packets * stages.length, () => bareRun(command, data))),
    async () => {
      const ids = await made(api, packets);
      return millis(() => ran(api, ids));
    },
  );
  const { id } = (await api.list()).packets[0];
  await app.close();
  const calls = packets * stages.length;
  const each = (found.subject - found.base) / calls;
  const spawns = quick ? 5 : 10;
  const start = await compare(
    rounds,
    () => medianStart(spawns, ['-e', '0']),
    () => medianStart(spawns, [docket, 'packet', 'status', id, '--root', data]),
  );
  return [
    {
      name: `a packet of ${stages.length} stages`,
      compared: 'a run with instant agents, with its store, against as many spawns of the same agent',
      ...found,
      aim: { most: Number(((found.base + calls * most) / found.base).toFixed(2)) },
      orientation: `${number(each)} ms for each stage beside its agent (aim ${most}); the agent ${ms(found.base / calls)}`,
    },
    {
      name: '`docket packet status`',
      compared: 'against `node -e 0`',
      ...start,
      aim: { most: 3 },
      orientation: `${ms(start.subject)}; node ${ms(start.base)}`,
    },
  ];
}

/** A manifest that was saved this moment is waited for, once: somebody may still be writing it. No stage costs that. */
async function made(api, count) {
  const lists = { allow: ['src/'], deny: [], commands: ['true'], criteria: [] };
  const ids = [];
  await times(count, async () =>
    ids.push((await api.make({ goal: 'Bench', intent: 'safe_impl', ...lists })).id),
  );
  await sleep(200);
  return ids;
}

async function ran(api, ids) {
  for (const id of ids) {
    const { status } = await api.run(id, { signal: new AbortController().signal });
    if (status !== 'done') throw new Error(`packet ${id} ended ${status}`);
  }
}

async function times(count, work) {
  for (let done = 0; done < count; done += 1) await work();
}

function bareRun([program, ...args], cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdout.resume();
    child.stderr.resume();
    child.on('error', reject);
    child.on('close', resolve);
    child.stdin.end('Say that you are done.');
  });
}

/** A repository, and an agent that is codex and gemini at once: each reads its own lines of the stream. Returns its command. */
function prepare(root) {
  const stream = path.join(root, '.docket', 'stream.jsonl');
  const script = `cat >/dev/null; cat '${stream}'; case "$*" in *workspace-write*) echo more >> src/app.txt;; esac`;
  const command = ['/bin/sh', '-c', script, 'agent'];
  mkdirSync(path.join(root, '.docket'));
  mkdirSync(path.join(root, 'src'));
  const files = {
    '.gitignore': '.docket\n.tmp\n.gemini\n',
    'src/app.txt': 'one\n',
    '.docket/config.yaml': JSON.stringify({
      agents: { codex: { adapter: 'codex', command }, gemini: { adapter: 'gemini', command } },
    }),
    '.docket/stream.jsonl': lines(answer()),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(root, name), text);
  for (const args of [
    ['init', '--quiet'],
    ['add', '.'],
    [...who, 'commit', '--quiet', '-m', 'start'],
  ])
    execFileSync('git', args, { cwd: root });
  return command;
}

const who = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com'];

function lines(text) {
  const events = [
    { type: 'thread.started', thread_id: '0199a213-81c0-7800-8aa1-bbab2a035a53' },
    { type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text } },
    { type: 'turn.completed', usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1 } },
    { type: 'message', role: 'assistant', content: text, delta: true },
    { type: 'result', status: 'success', stats: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } },
  ];
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}

/** One that passes the gate of every stage. */
function answer() {
  const review = ['Findings', 'Test gaps', 'Breaking changes', 'Minimal fix', 'Status'];
  const brief = ['Summary', 'Acceptance', 'Scope', 'Constraints', 'Verify Commands', 'Updated Context Pack'];
  const pack = [
    'Goal',
    'Non-goals',
    'Scope',
    'Acceptance',
    'Fixed',
    'Files to Read',
    'Prohibited Actions',
    'Current State',
    'Open Questions',
    'Change History',
  ].map((title, n) => `${n}. ${title}`);
  return [...review, ...brief, ...pack].map((title) => `## ${title}\n\nPASS\n`).join('\n');
}
