import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { LockKind } from '../../src/io/lock.ts';
import { fixedTime, worker, type Plan } from './crash-plan.ts';

const child = path.join(import.meta.dirname, '..', 'bin', 'crash-child.mjs');

const children = new Set<ChildProcess>();

/** For a test that ends before its children do. */
export function endChildren(): void {
  for (const one of children) one.kill('SIGKILL');
}

/** One life of a store: some steps of the plan on a copy of it, ended at a point, or not at all. */
export interface Run {
  root: string;
  copyOf: string;
  from: number;
  to: number;
  lockKind: LockKind;
  point?: string;
}

export interface Life {
  run: Run;
  points: string[];
  /** The steps that were acknowledged. */
  acked: string[];
  /** What was on the disk at the point of death, by name, inode, size and time. */
  photograph?: string[];
}

/** Starts one process for these runs and waits for its end, which must be what it was asked for. */
export async function live(plan: Plan, runs: Run[], jobFile: string): Promise<Life[]> {
  const job = { steps: plan.steps, time: fixedTime, owner: worker, runs };
  fs.writeFileSync(jobFile, JSON.stringify(job));
  const ended = await new Promise<{ signal: string | null; code: number | null; out: string; err: string }>(
    (resolve, reject) => {
      const started = spawn(process.execPath, [child, jobFile], { stdio: ['ignore', 'pipe', 'pipe'] });
      let out = '';
      let err = '';
      started.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
      started.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
      children.add(started);
      started.on('error', reject);
      started.on('close', (code, signal) => {
        children.delete(started);
        resolve({ signal, code, out, err });
      });
    },
  );
  fs.rmSync(jobFile, { force: true });
  const lives = runs.map((run): Life => ({ run, points: [], acked: [] }));
  for (const line of ended.out.split('\n').slice(0, -1)) {
    const [word, index, what] = JSON.parse(line) as [string, number, string];
    const life = lives[index];
    if (word === 'point') life?.points.push(what);
    else if (word === 'ack') life?.acked.push(what);
    else if (word === 'dead' && life) life.photograph = what as unknown as string[];
    else throw new Error(`the child says: ${line}`);
  }
  const wanted = runs.at(-1)?.point === undefined ? 'code 0' : 'signal SIGKILL';
  const got = ended.signal === null ? `code ${ended.code}` : `signal ${ended.signal}`;
  if (got !== wanted) throw new Error(`the child ended with ${got} instead of ${wanted}: ${ended.err}`);
  return lives;
}

export function photograph(root: string): string[] {
  return fs
    .readdirSync(root, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      const stat = fs.lstatSync(file, { bigint: true });
      return `${path.relative(root, file)} ${stat.ino} ${entry.isDirectory() ? '' : `${stat.size} ${stat.mtimeNs}`}`;
    })
    .toSorted();
}
