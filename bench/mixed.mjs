// A workspace with tasks of all layouts, most of them finished.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openDocket } from '../dist/index.js';
import { boardLayout } from '../dist/kinds/board/format/layout.js';
import { encodeLine } from '../dist/store/codec.js';
import { openFileStore } from '../dist/store/file/file-store.js';
import { buildStore } from './store.mjs';

/** Beside those that are finished, in every workspace. */
const open = { queue: 350, task: 50, packet: 50, board: 50 };

/** `finished`: how many of each layout. */
export async function buildMixed(root, finished) {
  const { queue } = finished;
  await buildStore(root, queue + open.queue, (index) => (index < queue ? 'done' : 'queued'));
  await fillBoard(root, finished.board);
  const app = await openDocket({ cwd: root, root, env: { PATH: process.env.PATH, DOCKET_STATE: root } });
  const tasks = await app.tasks();
  const create = () => tasks.create({ title: 'Find out why the login test fails', topology: 'swarm' });
  const directory = await create();
  await tasks.cancel(directory.id, { reason: 'no longer wanted' });
  copies(path.join(root, '.agentmesh', 'tasks'), directory.id, finished.task - 1);
  await times(open.task, create);
  const packets = await app.packets();
  const lists = { allow: ['src/'], deny: [], commands: ['true'], criteria: [] };
  const make = () =>
    packets.make({ goal: 'Find out why the login test fails', intent: 'safe_impl', ...lists });
  const packet = await make();
  await packets.cancel(packet.id, {});
  copies(path.join(root, '.tmp', 'task'), packet.id, finished.packet - 1);
  await times(open.packet, make);
  await app.close();
}

/** More folders as the first one is, each with a name of its own: finished long ago, and copied from elsewhere. */
function copies(folder, first, count) {
  const files = readdirSync(path.join(folder, first), { recursive: true, withFileTypes: true });
  const texts = files
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = path.join(entry.parentPath ?? entry.path, entry.name);
      return [path.relative(path.join(folder, first), file), readFileSync(file, 'utf8')];
    });
  for (let n = 0; n < count; n += 1) {
    const name = `${first.slice(0, -5)}${String(n).padStart(5, '0')}`;
    for (const [file, text] of texts) {
      const at = path.join(folder, name, file);
      mkdirSync(path.dirname(at), { recursive: true });
      const renamed = text.replaceAll(first, name);
      writeFileSync(at, file.endsWith('.jsonl') ? sealed(renamed) : renamed);
    }
  }
}

/** Every line with the checksum of what it says now, and of the line before it where it names one. */
function sealed(text) {
  let last;
  const lines = text.trimEnd().split('\n');
  return lines
    .map((line) => {
      const { crc: _, ...fields } = JSON.parse(line);
      if (fields.docket?.after !== undefined) fields.docket.after = last;
      const sealedLine = encodeLine(fields);
      last = JSON.parse(sealedLine).crc;
      return sealedLine;
    })
    .join('');
}

/** As the format's first tool leaves a board. */
async function fillBoard(root, finished) {
  const lines = [];
  const add = (taskId, type, payload) => {
    const at = `${new Date(Date.parse('2026-03-01T08:00:00Z') + lines.length * 1000).toISOString().slice(0, 19)}Z`;
    const eventId = `00000000-0000-4000-8000-${String(lines.length).padStart(12, '0')}`;
    const line = { eventId, taskId, type, messageType: '[TASK]', actor: 'orchestrator', at, payload };
    lines.push(`${JSON.stringify(line)}\n`);
  };
  for (let n = 1; n <= finished + open.board; n += 1) {
    const id = `T-${String(n).padStart(3, '0')}`;
    add(id, 'task_created', { title: `Find out why the login test ${n} fails`, assigneeHint: 'coder' });
    if (n > finished) continue;
    add(id, 'task_claimed', { from: 'pending', to: 'claimed', owner: 'coder' });
    add(id, 'task_done', { from: 'claimed', to: 'done', result: 'the log is in logs/run.log' });
  }
  mkdirSync(path.join(root, 'state'), { recursive: true });
  writeFileSync(path.join(root, 'state', 'tasks.jsonl'), lines.join(''));
  const dir = path.join(root, '.docket', 'board');
  await (await openFileStore({ root, dir, layout: boardLayout })).close();
}

async function times(count, work) {
  for (let done = 0; done < count; done += 1) await work();
}
