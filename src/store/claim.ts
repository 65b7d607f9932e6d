import type { Command } from '../task/command.ts';
import { decide } from '../task/decide.ts';
import { type Order, pick, workTreeLock } from '../task/pick.ts';
import type { ProcessLease, Task, TaskOf } from '../task/schema.ts';
import type { Ledger } from './ledger.ts';
import type { Claim, ClaimRequest, ClaimState, Commit, LeaseTerms, TaskIndex, Worker } from './store.ts';

/** Decides a command on the ledger as it is this moment and commits it: for callers who hold the lock. */
export function applyNow(
  tasks: TaskIndex,
  commands: readonly Command[],
  now: string,
  commit: Commit,
): string | undefined {
  for (const command of commands) {
    const decision = decide(tasks, command, now);
    if (!decision.ok) return decision.refusal.message;
    const long = decision.events.find((event) => !tasks.fits(event));
    if (long) return `the text of task ${command.id} is too long to be kept here: move it into a file`;
    commit({ events: decision.events, expect: {} });
  }
  return undefined;
}

/** Work whose process is gone goes back to the queue, with the reason in the journal. */
export function freeDead(ledger: Ledger, isDead: (task: Task) => boolean, now: string, commit: Commit): void {
  for (const task of Array.from(ledger.held())) {
    if (!isDead(task)) continue;
    const reason = `its worker ${task.owner ?? ''} is gone`;
    const gone: Command = { type: 'requeue', id: task.id, by: 'docket', reason, lost: true };
    // The lifecycle has no way from review to queued: what was handed in stays handed in, for somebody to judge.
    if (task.status === 'running') applyNow(ledger, [gone], now, commit);
  }
}

/**
 * Starts what is next. `lock` is the run's own; where it is taken the task is somebody's and stays. `order`: where
 * tasks stand in people's file, if there is one.
 */
export function startNext(
  ledger: Ledger,
  request: ClaimRequest,
  lease: ProcessLease,
  now: string,
  lock: { take(id: string, owner: string): boolean; release(id: string): void },
  commit: Commit,
  order?: (tasks: Iterable<Task>) => Order,
): TaskOf<'running'>[] {
  const { owner, only, except } = request;
  const wanted = only === undefined ? ledger.active() : only.flatMap((id) => ledger.get(id) ?? []);
  const among = [...wanted].filter((task) => task.status === 'queued' && !except?.has(task.id));
  const started: TaskOf<'running'>[] = [];
  const locks = { ...request.conditions?.locks, ...workTreeLock(ledger.active()) };
  const world = {
    ...request.conditions,
    locks,
    now,
    ...(order && among.length > 1 && { order: order(among) }),
  };
  for (const task of pick(ledger, among, world, request.max)) {
    if (!lock.take(task.id, owner)) continue;
    const refused = applyNow(ledger, [{ type: 'start', id: task.id, by: owner, owner, lease }], now, commit);
    const running = ledger.get(task.id);
    if (refused === undefined && running?.status === 'running') started.push(running);
    else lock.release(task.id);
  }
  return started;
}

/** Who works on what, by the leases of the tasks. */
export function workersIn(ledger: Ledger, isDead: (task: Task) => boolean): Worker[] {
  const workers = new Map<string, Worker>();
  for (const task of ledger.held()) {
    if (!('lease' in task) || task.lease?.kind !== 'process') continue;
    const { lease, owner = '' } = task;
    const key = JSON.stringify([owner, lease]);
    const known = workers.get(key) ?? { owner, lease, alive: !isDead(task), holds: [] };
    known.holds.push(task.id);
    workers.set(key, known);
  }
  return [...workers.values()];
}

/** Does the claim still hold on this state? */
export function heldState(ledger: Ledger, claim: Claim): ClaimState {
  const task = ledger.get(claim.task.id);
  if (task?.status === 'canceled') return 'canceled';
  return task && 'token' in task && task.token === claim.token ? 'ok' : 'lost';
}

interface Kept {
  claim: Claim;
  lost: AbortController;
}

/**
 * The claims of one worker, from the moment they are made: one question to the store for all of them, every so often. A
 * claim ends when the store says so, or when the store has not answered for as long as a lease lasts.
 */
export class Heartbeat {
  readonly #ask: (claims: readonly Claim[]) => Promise<readonly ClaimState[]>;
  readonly #everyMs: number;
  readonly #lastsMs: number;
  readonly #kept = new Set<Kept>();
  #timer: NodeJS.Timeout | undefined;
  #asking = false;
  #until = Infinity;

  constructor(
    ask: (claims: readonly Claim[]) => Promise<readonly ClaimState[]>,
    { beatMs = 2_000, leaseMs = Infinity }: LeaseTerms = {},
  ) {
    this.#ask = ask;
    this.#everyMs = beatMs;
    this.#lastsMs = leaseMs;
  }

  hold(task: TaskOf<'running'>, release: () => Promise<void>): Claim {
    const lost = new AbortController();
    const until = () => this.#until;
    const claim: Claim = {
      task,
      token: task.token,
      signal: lost.signal,
      get until() {
        return until();
      },
      release: () => {
        this.#drop(kept);
        return release();
      },
    };
    const kept = { claim, lost };
    if (this.#kept.size === 0) this.#until = Date.now() + this.#lastsMs;
    this.#kept.add(kept);
    this.#timer ??= setInterval(() => void this.#beat(), this.#everyMs).unref();
    return claim;
  }

  close(): void {
    for (const kept of this.#kept) this.#drop(kept);
  }

  #drop(kept: Kept): void {
    this.#kept.delete(kept);
    if (this.#kept.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #beat(): Promise<void> {
    // Before anything else: a store that does not answer must not keep a lease alive.
    if (Date.now() >= this.#until) for (const kept of this.#kept) this.#end(kept, 'lost');
    if (this.#asking) return;
    this.#asking = true;
    const sent = Date.now();
    const asked = [...this.#kept];
    try {
      const states = await this.#ask(asked.map(({ claim }) => claim));
      this.#until = sent + this.#lastsMs;
      for (const [at, state] of states.entries())
        if (asked[at] && state !== 'ok') this.#end(asked[at], state);
    } catch {
      // A store that cannot be asked now says so at the next write, or can be asked again.
    } finally {
      this.#asking = false;
    }
  }

  #end(kept: Kept, why: Exclude<ClaimState, 'ok'>): void {
    this.#drop(kept);
    kept.lost.abort(why);
  }
}
