import fs from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDocket, type Docket } from '../../src/project/docket.ts';
import type { Change } from '../../src/project/feed/feed.ts';
import { Project, until } from '../support/project.ts';

async function open(project: Project): Promise<Docket> {
  const docket = await openDocket({ cwd: project.root, root: project.root, env: project.env });
  onTestFinished(() => docket.close());
  return docket;
}

/** What a watch hands over until it is stopped. */
function watching(docket: Docket, since?: string) {
  const stop = new AbortController();
  const changes: Change[] = [];
  const ended = (async () => {
    for await (const change of docket.watch(stop.signal, since)) changes.push(change);
  })();
  ended.catch(() => undefined); // seen by who stops it
  return {
    changes,
    async shows(text: string): Promise<void> {
      await until(`the feed shows ${text}`, () => changes.some((change) => brief(change) === text));
    },
    async stop(): Promise<string[]> {
      stop.abort();
      await ended;
      return changes.map(brief);
    },
  };
}

function brief(change: Change): string {
  const { kind, name } = change.ref;
  return `${kind} ${name} ${'event' in change ? change.event.type : 'gone'}`;
}

/** So many changes behind a position. */
async function next(docket: Docket, since: string, count: number): Promise<string[]> {
  const stop = new AbortController();
  const changes: string[] = [];
  if (count === 0) return changes;
  for await (const change of docket.watch(stop.signal, since)) {
    changes.push(brief(change));
    if (changes.length === count) break;
  }
  return changes;
}

const packets = (project: Project) => path.join(project.root, '.tmp', 'task');

async function newPacket(project: Project, id: string): Promise<void> {
  const { code } = await project.docket('packet', 'new', '--id', id, '--goal', `Goal of ${id}`);
  expect(code).toBe(0);
  // The store of a packet begins when something happens to it.
  await project.docket('packet', 'cancel', id);
}

it('hands over what other processes change in tasks of every kind, with what people call them', async () => {
  const project = new Project({});
  const docket = await open(project);
  const feed = watching(docket, await docket.position());
  await project.docket('add', 'Mend the gate', '--name', 'gate');
  await feed.shows('queue gate task.created');
  await project.docket('say', 'create task: Paint it');
  await feed.shows('board T-001 task.created');
  const tasks = await docket.tasks();
  const { id } = await tasks.create({ title: 'Many hands', topology: 'swarm' });
  await feed.shows(`task ${id} task.created`);
  await newPacket(project, 'p-1');
  await feed.shows('packet p-1 task.canceled');
  await project.docket('cancel', 'gate');
  await feed.shows('queue gate task.canceled');
  await feed.stop();
  const titles = Object.fromEntries(feed.changes.map(({ ref }) => [ref.name, ref.title]));
  expect(titles).toEqual({
    'T-001': 'Paint it',
    gate: 'Mend the gate',
    'p-1': 'Goal of p-1',
    [id]: 'Many hands',
  });
});

it('resumes behind every position without loss and without repeating anything, in any process', async () => {
  const project = new Project({});
  const docket = await open(project);
  const first = await docket.position();
  await project.docket('add', 'One', '--name', 'one');
  await newPacket(project, 'p-1');
  const feed = watching(docket, first);
  await project.docket('add', 'Two', '--name', 'two');
  await feed.shows('queue two task.created');
  await feed.shows('packet p-1 task.canceled');
  await project.docket('cancel', 'one');
  await feed.shows('queue one task.canceled');
  const all = await feed.stop();
  expect(all.filter((text) => text.endsWith('created'))).toHaveLength(3);
  const positions = [first, ...feed.changes.map(({ position }) => position)];
  const elsewhere = await open(project);
  for (const [at, position] of positions.entries()) {
    const rest = await next(elsewhere, position, all.length - at);
    // Of several stores each keeps its own order.
    expect(rest.toSorted()).toEqual(all.slice(at).toSorted());
  }
  // Nothing is behind the last one.
  await project.docket('cancel', 'two');
  expect(await next(elsewhere, positions.at(-1)!, 1)).toEqual(['queue two task.canceled']);
});

it('finds a packet that is new, says that one is gone, and takes another of that name for what it is', async () => {
  const project = new Project({});
  const docket = await open(project);
  await newPacket(project, 'p-1');
  const feed = watching(docket, await docket.position());
  await newPacket(project, 'p-2');
  await feed.shows('packet p-2 task.canceled');
  fs.rmSync(path.join(packets(project), 'p-1'), { recursive: true });
  await feed.shows('packet p-1 gone');
  await newPacket(project, 'p-1');
  await feed.shows('packet p-1 task.canceled');
  await feed.stop();
  const { position } = feed.changes.at(-1)!;
  fs.rmSync(path.join(packets(project), 'p-1'), { recursive: true });
  fs.rmSync(path.join(packets(project), 'p-2'), { recursive: true });
  await newPacket(project, 'p-2');
  const later = watching(docket, position);
  await later.shows('packet p-2 task.canceled');
  const seen = await later.stop();
  expect(seen).toContain('packet p-1 gone');
  expect(seen).toContain('packet p-2 task.created');
  expect(seen).not.toContain('packet p-2 gone');
});

it('follows more stores than it keeps open, and one that cannot be read hides no other', async () => {
  const project = new Project({});
  const docket = await open(project);
  const tasks = await docket.tasks();
  const ids: string[] = [];
  for (let at = 0; at < 70; at += 1)
    ids.push((await tasks.create({ title: `Task ${at}`, topology: 'swarm' })).id);
  const feed = watching(docket, await docket.position());
  const [broken = ''] = ids.splice(3, 1);
  const log = path.join(project.root, '.agentmesh', 'tasks', broken, 'events.jsonl');
  fs.writeFileSync(log, `nonsense\n${fs.readFileSync(log, 'utf8')}`);
  for (const round of [1, 2])
    for (const id of ids) {
      if (round === 1) await tasks.cancel(id, {});
      else fs.appendFileSync(path.join(project.root, '.agentmesh', 'tasks', id, 'events.jsonl'), foreign);
    }
  await until('all are told', () => feed.changes.length >= 2 * ids.length);
  const seen = await feed.stop();
  for (const id of ids) {
    expect(seen.filter((text) => text === `task ${id} task.canceled`)).toHaveLength(1);
    expect(seen.filter((text) => text === `task ${id} note`).length).toBeGreaterThanOrEqual(1);
  }
});

/** A line that another tool writes. */
const foreign = `${JSON.stringify({ type: 'message.created', ts: '2026-03-01T12:00:00Z', payload: {} })}\n`;

it('makes nothing, ends with its signal, and refuses what is no position', async () => {
  const project = new Project({});
  const docket = await open(project);
  const before = fs.readdirSync(project.root, { recursive: true }).length;
  const feed = watching(docket);
  await new Promise((resolve) => setTimeout(resolve, 1200));
  expect(await feed.stop()).toEqual([]);
  expect(fs.readdirSync(project.root, { recursive: true })).toHaveLength(before);
  for (const wrong of ['', '2,queue::1:000000000000', '1,queue::x:0', '1,../../etc:a:1:000000000000'])
    await expect(watching(docket, wrong).stop()).rejects.toMatchObject({ code: 'USAGE' });
});
