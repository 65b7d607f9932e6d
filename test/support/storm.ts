import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { between, planWorkers, seeded, type Random, type StormOptions } from './storm-plan.ts';

const bin = (name: string): string => fileURLToPath(new URL(`../bin/${name}`, import.meta.url));
const readers = 2;

/** What happened to the processes; what happened to the store is in their logs. */
export interface Weather {
  seed: number;
  /** SIGKILLs from outside, and lives that ended by one (also their own). */
  kills: number;
  killedLives: Set<string>;
  /** The journal's size when the holder of the lock was suspended, and when it was let go. */
  frozen: { before: number; after: number }[];
  seconds: number;
}

interface Life {
  worker: number;
  life: number;
  child: ChildProcess;
}

/** Many processes at once on one store, and bad luck. Whatever happens, `clean` ends what was started. */
export class Storm {
  readonly options: StormOptions;
  readonly seed: number;
  readonly root: string;
  readonly dir: string;
  readonly logs: string;
  readonly flags: string;
  readonly #base: string;
  readonly #random: Random;
  readonly #running = new Map<number, Life>();
  readonly #groups = new Set<number>();
  readonly #weather: Weather;
  /** Nobody else harms this worker until it has been suspended and has gone on. */
  #sleeper: number | undefined;
  #failed: ((error: Error) => void) | undefined;
  #over = false;

  constructor(
    options: StormOptions,
    seed = Number(process.env['STORM_SEED'] ?? Math.floor(Math.random() * 2 ** 32)),
  ) {
    this.options = options;
    this.seed = seed;
    this.#random = seeded(seed);
    this.#base = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-storm-'));
    const make = (name: string): string => {
      fs.mkdirSync(path.join(this.#base, name));
      return path.join(this.#base, name);
    };
    this.root = make('root');
    this.dir = path.join(this.root, '.docket', 'queue');
    this.logs = make('logs');
    this.flags = make('flags');
    const plans = make('plans');
    planWorkers(options, this.#random).forEach((plan, worker) => {
      if (plan.stopFrom !== undefined) this.#sleeper = worker;
      fs.writeFileSync(path.join(plans, `${worker}.json`), JSON.stringify(plan));
    });
    const { lockWaitMs, lockKind, workers } = options;
    const shared = Math.max(4, Math.floor(workers / 2));
    const facts = {
      root: this.root,
      dir: this.dir,
      logs: this.logs,
      flags: this.flags,
      plans,
      lockWaitMs,
      lockKind,
      shared,
    };
    fs.writeFileSync(this.#facts, JSON.stringify(facts));
    // The command line learns from here how long to wait.
    fs.mkdirSync(path.join(this.root, '.docket'));
    fs.writeFileSync(
      path.join(this.root, '.docket', 'config.yaml'),
      `lockWaitSeconds: ${lockWaitMs / 1000}\n`,
    );
    this.#weather = { seed, kills: 0, killedLives: new Set(), frozen: [], seconds: 0 };
  }

  get #facts(): string {
    return path.join(this.#base, 'storm.json');
  }

  async run(): Promise<Weather> {
    const started = performance.now();
    const failure = new Promise<never>((_, reject) => (this.#failed = reject));
    const watching = Array.from({ length: readers }, (_, index) => this.#reader(index));
    const working = Array.from({ length: this.options.workers }, (_, worker) => this.#worker(worker));
    await Promise.race([failure, Promise.all([Promise.all(working), this.#kill(working)])]);
    this.#weather.seconds = (performance.now() - started) / 1000;
    for (const { child } of watching) child.stdin?.end();
    await Promise.race([failure, Promise.all(watching.map(({ ended }) => ended))]);
    return this.#weather;
  }

  /** Process groups that still have a member: a worker, or a command that it started. */
  leftovers(): number[] {
    for (const group of this.#groups) if (!isThere(group)) this.#groups.delete(group); // its number is free again
    return [...this.#groups];
  }

  /** A command that its killed worker had started may still be at work for a moment. */
  async settled(): Promise<number[]> {
    for (let tries = 0; tries < 200 && this.leftovers().length > 0; tries += 1) await sleep(100);
    return this.leftovers();
  }

  async clean(): Promise<void> {
    this.#over = true;
    this.#failed = undefined;
    for (const group of this.leftovers()) {
      signal(-group, 'SIGCONT');
      signal(-group, 'SIGKILL');
    }
    await this.settled();
    if (process.env['STORM_KEEP'] === undefined) fs.rmSync(this.#base, { recursive: true, force: true });
  }

  /** One worker through all its lives, until one of them comes to the end of the list. */
  async #worker(worker: number): Promise<void> {
    for (let life = 0; ; life += 1) {
      const { child, ended } = this.#start('storm-worker.mjs', [String(worker), String(life)]);
      const now: Life = { worker, life, child };
      this.#running.set(worker, now);
      child.stdout?.on('data', () => void this.#wakeLater(now));
      const death = await ended;
      this.#running.delete(worker);
      if (death === undefined || this.#over) return;
      this.#weather.killedLives.add(`w${worker}.${life}`);
    }
  }

  #reader(index: number): { child: ChildProcess; ended: Promise<unknown> } {
    return this.#start('storm-reader.mjs', [String(index)]);
  }

  /** `ended` resolves with the signal that ended it; any end but success or SIGKILL fails the storm. */
  #start(name: string, args: string[]): { child: ChildProcess; ended: Promise<NodeJS.Signals | undefined> } {
    // A group of its own: what a worker starts and leaves behind can be found.
    const child = spawn(process.execPath, [bin(name), this.#facts, ...args], {
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    if (child.pid !== undefined) this.#groups.add(child.pid);
    child.stdin?.on('error', () => undefined); // It was killed: nobody reads.
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
    const ended = new Promise<NodeJS.Signals | undefined>((resolve) => {
      child.on('error', (error) => this.#failed?.(error));
      child.on('exit', (code, by) => {
        if (code === 0) resolve(undefined);
        else if (by === 'SIGKILL') resolve(by);
        else
          setTimeout(
            () => this.#failed?.(new Error(`${name} ${args.join(' ')} ended with ${code ?? by}\n${said}`)),
            100,
          );
      });
    });
    return { child, ended };
  }

  /** Kills whoever it meets, at uneven intervals, as long as there is somebody. */
  async #kill(working: Promise<void>[]): Promise<void> {
    const [from, to] = this.options.killEveryMs;
    const calm = new AbortController();
    void Promise.all(working).then(() => calm.abort());
    while (!calm.signal.aborted && !this.#over && this.#weather.kills < this.options.kills) {
      await sleep(between(this.#random, from, to));
      const alive = [...this.#running.values()].filter(({ worker }) => worker !== this.#sleeper);
      const victim = alive[between(this.#random, 0, alive.length)];
      if (victim?.child.pid === undefined) continue;
      // Every third time with the command that it is running.
      const whom = this.#random() < 1 / 3 ? -victim.child.pid : victim.child.pid;
      if (signal(whom, 'SIGKILL')) this.#weather.kills += 1;
    }
  }

  /** It has suspended itself inside the lock. While it sleeps, nobody else may get in. */
  async #wakeLater(life: Life): Promise<void> {
    const { pid } = life.child;
    if (pid === undefined) return;
    const journal = path.join(this.dir, 'journal.jsonl');
    const before = fs.statSync(journal).size;
    await sleep(this.options.stopMs, undefined, { ref: false }); // the worker's own handle keeps us waiting
    if (this.#over) return;
    this.#weather.frozen.push({ before, after: fs.statSync(journal, { throwIfNoEntry: false })?.size ?? -1 });
    signal(pid, 'SIGCONT');
    this.#sleeper = undefined;
  }
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** Has this process group a living member? The dead that nobody has collected yet count for the kernel, not for us. */
function isThere(group: number): boolean {
  if (!signal(-group, 0)) return false;
  if (process.platform !== 'linux') return true;
  return fs.readdirSync('/proc').some((pid) => {
    const stat = /^\d+$/.test(pid) ? readStat(pid) : undefined;
    return stat !== undefined && stat.group === group && stat.state !== 'Z';
  });
}

function readStat(pid: string): { state: string; group: number } | undefined {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state = '', , group] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state, group: Number(group) };
  } catch {
    return undefined; // It has just ended.
  }
}
