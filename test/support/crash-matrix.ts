import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { LockKind } from '../../src/io/lock.ts';
import type { Claim } from '../../src/store/store.ts';
import { checkLife, perform, plain, restart, type Reference } from './crash-check.ts';
import type { Plan } from './crash-plan.ts';
import { endChildren, live, type Life, type Run } from './crash-run.ts';

/**
 * A process costs more than the work it is killed in, so one process plays many: at its point a store is left alone
 * for good (photographed then, and compared after the process is dead), the last one by the signal itself. With
 * DOCKET_KILLS_PER_PROCESS=1 every point is one process and one signal.
 */
const killsPerProcess = Number(process.env['DOCKET_KILLS_PER_PROCESS'] ?? 24);
interface Matrix {
  points: number;
  deaths: number;
  /** The first of them, in words. */
  failures: string[];
}
type Copy = Pick<Run, 'copyOf' | 'from' | 'to'>;

/**
 * Kills a process that carries out the plan at every point where it touches the disk, and looks what is left. `every`:
 * only at every so manieth of them, others each time (CRASH_PHASE=… plays the same again).
 */
export async function crashMatrix(plan: Plan, lockKind: LockKind, every = 1): Promise<Matrix> {
  const started = performance.now();
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-crash-'));
  onTestFinished(() => {
    endChildren();
    fs.rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
  });
  const { reference, copies } = await uninterrupted(plan, lockKind, dir);

  const names = numbered(dir);
  const dry = copies.map((copy): Run => ({ root: names(), ...copy, lockKind }));
  const lives = await live(plan, dry, names());
  const all = lives.flatMap(({ run, points }) =>
    points.map((point): Omit<Run, 'root'> => ({ ...run, point })),
  );
  const phase = Number(process.env['CRASH_PHASE'] ?? Math.floor(Math.random() * every)) % every;
  if (every > 1) console.log(`CRASH_PHASE=${phase}, every ${every} of ${all.length}`);
  const runs = all.filter((_, at) => at % every === phase).map((run): Run => ({ ...run, root: names() }));
  const failures: string[] = [];
  let deaths = 0;
  let processes = 0;
  const chunks = chunked(runs, killsPerProcess);
  const work = async (): Promise<void> => {
    for (let chunk = chunks.shift(); chunk; chunk = chunks.shift()) {
      processes += 1;
      const died = await live(plan, chunk, names()).catch((error: unknown) => {
        failures.push(String(error));
        return [];
      });
      for (const life of died) {
        deaths += 1;
        await checkLife(plan, life, reference).catch((error: unknown) => failures.push(report(life, error)));
        fs.rmSync(life.run.root, { recursive: true, force: true });
      }
    }
  };
  await Promise.all([work(), work()]);
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(
    `${runs.length} points, ${deaths} deaths in ${processes} processes, ${failures.length} failures, ${seconds} s`,
  );
  return { points: runs.length, deaths, failures: failures.slice(0, 10) };
}

/** The plan without a kill: the state after every step, and the store where a process takes it up. */
async function uninterrupted(
  plan: Plan,
  lockKind: LockKind,
  dir: string,
): Promise<{ reference: Reference; copies: Copy[] }> {
  const root = path.join(dir, 'reference');
  fs.mkdirSync(root);
  const copies: Copy[] = [];
  const copy = (from: number): void => {
    if (!plan.starts.includes(from)) return;
    const copyOf = path.join(dir, `start-${from}`);
    fs.cpSync(root, copyOf, { recursive: true, preserveTimestamps: true });
    const to = plan.starts.find((start) => start > from) ?? plan.steps.length;
    copies.push({ copyOf, from, to });
  };
  if (plan.before.length === 0) copy(0); // from nothing: the store itself is made by the process that is killed
  const backend = await restart(root, lockKind, 0);
  try {
    if (plan.before.length > 0) {
      await backend.transact({ events: plan.before, expect: {} });
      copy(0);
    }
    const claims = new Map<string, Claim>();
    const reference: Reference = [plain(await backend.list({ removed: true }))];
    for (const [index, step] of plan.steps.entries()) {
      await perform(backend, step, claims);
      reference.push(plain(await backend.list({ removed: true })));
      copy(index + 1);
    }
    return { reference, copies };
  } finally {
    await backend.close();
  }
}

function report(life: Life, error: unknown): string {
  const { from, point } = life.run;
  const text = error instanceof Error ? error.message : String(error);
  return `from step ${from}, killed ${point}, after ${life.acked.at(-1) ?? 'nothing'}: ${text.slice(0, 2000)}`;
}

function numbered(dir: string): () => string {
  let count = 0;
  return () => path.join(dir, `${++count}`);
}

function chunked<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );
}
