import fs from 'node:fs';
import path from 'node:path';
import { deliver, type Delivered } from '../../src/kinds/queue/deliver.ts';
import {
  type FinishedPlaces,
  finishedWork,
  type FinishedWork,
  type MergedTask,
} from '../../src/kinds/queue/finished.ts';
import { newRecord, type Noted, notedOf, ownOf } from '../../src/kinds/queue/format/record.ts';
import { noteOn } from '../../src/kinds/queue/note-on.ts';
import { prepareWorkspace, type WorkspaceSettings } from '../../src/kinds/queue/workspace.ts';
import { execute } from '../../src/store/execute.ts';
import type { FileStore } from '../../src/store/store.ts';
import type { Json } from '../../src/task/json.ts';
import type { Spec, Task } from '../../src/task/schema.ts';
import { lookAt, openStore } from './scratch.ts';
import { put, Workspaces } from './workspaces.ts';

const clock = { now: () => Date.now() };

/** A queue in a real repository, with work that was done by nobody in particular. */
export class Finished extends Workspaces {
  readonly env: Record<string, string>;
  #store: Promise<FileStore> | undefined;

  constructor(config: Record<string, unknown> = {}) {
    super({ 'a.txt': 'one\ntwo\nthree\nfour\nfive\n', '.gitignore': '.docket\n.takt\n' });
    fs.mkdirSync(this.home, { recursive: true });
    this.env = { PATH: process.env['PATH'] ?? '', HOME: this.home };
    this.write('.docket/config.yaml', JSON.stringify(config));
  }

  store(): Promise<FileStore> {
    return (this.#store ??= openStore(this.root));
  }

  get places(): FinishedPlaces {
    const { root, dir, env } = this;
    return {
      root,
      dir,
      env,
      clock,
      warn: () => undefined,
      read: async () => lookAt(root),
      open: () => this.store(),
    };
  }

  get work(): FinishedWork {
    return finishedWork(this.places);
  }

  async add(
    name: string,
    more: Record<string, Json> = {},
    spec: Partial<Spec> = {},
    needs: string[] = [],
  ): Promise<Task> {
    const done = await execute(
      await this.store(),
      {
        type: 'create',
        id: name,
        by: 'ann',
        title: `Title of ${name}`,
        needs,
        spec: { body: name, workspace: { kind: 'clone' }, ...spec },
        extras: { queue: newRecord({ name, taskDir: `.takt/tasks/${name}`, more }) },
      },
      { now: new Date().toISOString() },
    );
    if (!done.ok) throw new Error(done.refusal.message);
    return done.task;
  }

  /** As a run does it, without an agent: claims the task, makes its workspace, and `edit` is all the work. */
  async claimed(
    name: string,
    edit: (cwd: string) => void,
    settings: WorkspaceSettings = {},
  ): Promise<string> {
    const store = await this.store();
    const [claim] = await store.claim({ owner: 'test', max: 1, only: [name] });
    if (!claim) throw new Error(`${name} was not claimed`);
    const note = async (noted: Partial<Noted>) => void (await noteOn({ store, clock }, name, noted));
    const { cwd, noted } = await prepareWorkspace(
      claim.task,
      { root: this.root, dir: this.dir, clock },
      settings,
      note,
    );
    await note(noted);
    edit(cwd);
    await claim.release();
    return cwd;
  }

  /** The same to its end. */
  async done(
    name: string,
    files: Record<string, string>,
    more: Record<string, Json> = {},
    spec: Partial<Spec> = {},
  ): Promise<Delivered> {
    if (!(await this.task(name))) await this.add(name, more, spec);
    await this.claimed(name, (cwd) => Object.entries(files).forEach(([file, text]) => put(cwd, file, text)));
    return this.delivered(name);
  }

  async delivered(name: string): Promise<Delivered> {
    const store = await this.store();
    const delivered = await deliver(await this.get(name), this);
    const verdict = delivered.held
      ? { kind: 'hold' as const, reason: delivered.held }
      : { kind: 'pass' as const, evidence: [] };
    const { token } = (await this.get(name)) as { token?: number };
    const { noted, delivery } = delivered;
    await noteOn({ store, clock }, name, { ...noted, ...(delivery && { delivery }) }, [
      { type: 'settle', verdict, summary: 'worked', ...(token !== undefined && { token }) },
    ]);
    return delivered;
  }

  async task(name: string): Promise<Task | undefined> {
    const tasks = await (await this.store()).list({ removed: true });
    return tasks.find((task) => ownOf(task).name === name);
  }

  async get(name: string): Promise<Task> {
    const task = await this.task(name);
    if (!task) throw new Error(`there is no ${name}`);
    return task;
  }

  async noted(name: string): Promise<Noted> {
    return notedOf(await this.get(name));
  }

  merge(...tasks: string[]): Promise<MergedTask[]> {
    return this.work.merge({ ...(tasks.length > 0 && { tasks }), signal: new AbortController().signal });
  }

  states(merged: readonly MergedTask[]): Record<string, string> {
    return Object.fromEntries(merged.map(({ task, state }) => [task.id, state]));
  }

  /** A program on PATH. */
  program(name: string, script: string): void {
    const bin = path.join(this.home, 'bin');
    put(bin, name, `#!/bin/sh\n${script}\n`);
    fs.chmodSync(path.join(bin, name), 0o755);
    this.env['PATH'] = `${bin}:${process.env['PATH'] ?? ''}`;
  }
}
