import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { ownIdentity } from '../../src/io/identity.ts';
import { openDocket, type Docket } from '../../src/project/docket.ts';
import type { View } from '../../src/project/view/types.ts';
import { Viewer } from '../../src/project/view/view.ts';
import { execute } from '../../src/store/execute.ts';
import type { FileStore } from '../../src/store/store.ts';
import type { Command } from '../../src/task/command.ts';
import type { ProcessLease } from '../../src/task/schema.ts';
import { inFolder } from '../surfaces/cli/real-world.ts';
import { add, openStore, scratch } from './scratch.ts';

const clock = { now: () => Date.now() };

/** A folder with tasks of all layouts, made by the real commands. */
export class MixedWorkspace {
  readonly root = scratch();
  #docket: Docket | undefined;

  async open(): Promise<Docket> {
    const env = { PATH: process.env['PATH'], DOCKET_STATE: path.join(this.root, '..state') };
    this.#docket ??= await openDocket({ cwd: this.root, root: this.root, env });
    onTestFinished(() => this.#docket?.close());
    return this.#docket;
  }

  /** A viewer that has only what is on disk. */
  viewer(now: () => number = clock.now): Viewer {
    const env = { DOCKET_STATE: path.join(this.root, '..state') };
    return new Viewer({ root: this.root, env, clock: { now }, warn: () => undefined });
  }

  look(): Promise<View> {
    return this.viewer().look();
  }

  get cacheFile(): string {
    return path.join(this.root, '.docket', 'seen.jsonl');
  }

  /** What it would be without a cache; the cache is put back as it was. */
  async uncached(): Promise<View> {
    const kept = fs.existsSync(this.cacheFile) ? fs.readFileSync(this.cacheFile) : undefined;
    fs.rmSync(this.cacheFile, { force: true });
    const view = await this.look();
    if (kept) fs.writeFileSync(this.cacheFile, kept);
    else fs.rmSync(this.cacheFile, { force: true });
    return view;
  }

  /** Looks until the files are old enough for their stamps to be believed. */
  async settled(): Promise<View> {
    await new Promise((resolve) => setTimeout(resolve, 150));
    return this.look();
  }

  async queue(use: (store: FileStore) => Promise<void>): Promise<void> {
    const store = await openStore(this.root);
    await use(store);
    await store.close();
  }

  /** Queue, board, task directory and packet, one open and one finished of each. */
  async fill(): Promise<void> {
    await this.queue(async (store) => {
      for (const id of ['open', 'over']) await add(store, id);
      await does(store, { type: 'cancel', id: 'over', by: 'ann', reason: 'no longer wanted' });
    });
    await inFolder(this.root, ['say', 'create task: Mend the gate']);
    await inFolder(this.root, ['say', 'create task: Paint the gate']);
    const docket = await this.open();
    const tasks = await docket.tasks();
    await tasks.create({ title: 'Find the leak', topology: 'swarm' });
    const gone = await tasks.create({ title: 'Find the draught', topology: 'swarm' });
    await tasks.cancel(gone.id, { reason: 'no longer wanted' });
    const packets = await docket.packets();
    const lists = { allow: ['src/'], deny: [], commands: ['true'], criteria: [] };
    await packets.make({ id: 'p1', goal: 'Mend the roof', intent: 'safe_impl', ...lists });
    await packets.make({ id: 'p2', goal: 'Paint the roof', intent: 'safe_impl', ...lists });
    await packets.cancel('p2', {});
  }
}

export async function does(store: FileStore, command: Command): Promise<void> {
  const done = await execute(store, command, { now: new Date().toISOString() });
  if (!done.ok) throw new Error(done.refusal.message);
}

/** A process that lives until the test ends, or until it is ended. */
export function living(): { child: ChildProcess; lease: ProcessLease; end: () => Promise<void> } {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const stat = fs.readFileSync(`/proc/${child.pid}/stat`, 'utf8');
  const startTime = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  const lease: ProcessLease = { kind: 'process', ...ownIdentity(), pid: child.pid ?? 0, startTime };
  const end = async () => {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  };
  return { child, lease, end };
}
