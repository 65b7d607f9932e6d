import fs from 'node:fs';
import path from 'node:path';
import { executeTogether } from '../../src/store/execute.ts';
import type { Store, Claim } from '../../src/store/store.ts';
import type { Command } from '../../src/task/command.ts';
import type { Step } from '../../src/task/run.ts';
import type { Task } from '../../src/task/schema.ts';
import { storeFile } from './scratch.ts';

type Said = Command extends infer C ? (C extends Command ? Omit<C, 'id' | 'by' | 'token'> : never) : never;

/** Writes down what a run would: for tests of what is shown and done afterwards. */
export async function happened(store: Store, claim: Claim, ...said: readonly Said[]): Promise<Task> {
  const { task, token } = claim;
  const commands = said.map((one) => ({ ...one, id: task.id, by: 'docket', token }) as Command);
  const done = await executeTogether(store, task.id, commands, new Date().toISOString());
  if (!done.ok) throw new Error(done.refusal.message);
  return done.task;
}

export async function claimed(store: Store, id: string): Promise<Claim> {
  const [claim] = await store.claim({ owner: 'docket-test', max: 1, only: [id] });
  if (!claim) throw new Error(`${id} could not be claimed`);
  return claim;
}

export function workStep(id: string, agent = 'codex'): Step {
  return { id, kind: 'work', node: id.split('--')[0] ?? id, title: id, role: 'worker', agent, needs: [] };
}

export function round(n: number, ...steps: readonly Step[]): Said {
  return { type: 'dispatch', n, goal: 'Do it', steps: [...steps], orders: '' };
}

export function begun(step: string, n: number, adapter = 'command'): Said {
  return { type: 'begin', step, n, agent: 'worker', adapter, mark: `m-${step}-${n}` };
}

/** The folder of an attempt, with what its agent printed; `code`: it has ended. */
export function attemptFolder(
  root: string,
  id: string,
  step: string,
  n: number,
  files: { lines: readonly string[]; stderr?: string; code?: number },
): string {
  const dir = path.join(storeFile(root, 'attempts'), id, step, String(n));
  fs.mkdirSync(dir, { recursive: true });
  fs.writeFileSync(path.join(dir, 'prompt'), 'Do it');
  fs.writeFileSync(path.join(dir, 'events.jsonl'), files.lines.map((line) => `${line}\n`).join(''));
  fs.writeFileSync(path.join(dir, 'stderr.log'), files.stderr ?? '');
  if (files.code !== undefined) fs.writeFileSync(path.join(dir, 'exit.json'), `{"code":${files.code}}\n`);
  return dir;
}
