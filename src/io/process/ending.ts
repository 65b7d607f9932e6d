import { DocketError } from '../../errors.ts';
import { type Family, isFork, isIn, isSandbox, keyOf, membersOf } from './family.ts';
import { freshTable, type Row } from './table.ts';

/** How long a process that outlived its agent may take to end when it is asked to. */
const leftoverGraceMs = 200;
/** A supervisor whose agent was killed only has one line left to write. */
const lastWordMs = 2000;
/** SIGKILL cannot be refused, but a process that hangs in the kernel can take its time. */
const patienceMs = 10_000;
const longestPauseMs = 25;

/** Ends the processes of one attempt, and knows which of them were asked already. */
export class Ending {
  readonly #family: Family;
  /** By when each process that got a SIGTERM must have ended. */
  readonly #asked = new Map<string, number>();
  /** Every member that was ever seen. */
  readonly #known = new Set<string>();
  /** Whether a process of the agent was really sent a signal. */
  signaled = false;

  constructor(family: Family) {
    this.#family = family;
  }

  /**
   * SIGTERM to the agent's group, SIGKILL to the whole family when the grace is over; the supervisor is left to write
   * down the end. Resolves when `over` does. It looks again and again: the agent may have been starting only, and a
   * signal that reaches it before its program does is lost.
   */
  async stop(graceMs: number, over: Promise<unknown>): Promise<void> {
    const { group } = this.#family;
    const deadline = performance.now() + graceMs;
    for (let round = 0; ; round += 1) {
      const members = await this.members();
      if (await isSettled(over)) return;
      const late = performance.now() - deadline;
      for (const row of members) {
        if (row.pid === group) {
          if (late > lastWordMs) this.#kill(row);
          else this.#signal(row, 'SIGCONT'); // `kill -STOP 0` suspends it too
        } else if (late >= 0) this.#kill(row);
        else if (group === undefined || isIn(row, group)) this.#ask(row, deadline);
      }
      if (late > patienceMs) throw stuck(this.#family, members);
      await pause(round, over);
    }
  }

  /**
   * The agent has ended; what it left behind is asked to end, then killed. Cheap when there is nothing. What was asked
   * to before keeps the time that it was given.
   */
  async sweep(): Promise<void> {
    const began = performance.now();
    for (let round = 0; ; round += 1) {
      const members = await this.members();
      if (members.length === 0) return;
      const now = performance.now();
      for (const row of members) {
        const until = this.#asked.get(keyOf(row)) ?? began + leftoverGraceMs;
        if (now >= until) this.#kill(row);
        else this.#ask(row, until);
      }
      const last = Math.max(began, ...this.#asked.values());
      if (now > last + patienceMs) throw stuck(this.#family, members);
      await pause(round);
    }
  }

  /** What a terminal does when somebody presses Ctrl-C. False: there is nobody to hear it. */
  async interrupt(): Promise<boolean> {
    const { group } = this.#family;
    const hear = (await this.members()).filter((row) => row.group === group && row.pid !== group);
    // The sandbox around an agent would end at once, and the agent with it.
    for (const { pid } of hear) if (!isSandbox(pid)) this.#send(pid, 'SIGINT');
    return hear.length > 0;
  }

  /** Whether the agent, or what it started without letting it go, still runs. */
  async runs(): Promise<boolean> {
    const { group } = this.#family;
    const members = await this.members();
    return members.some((row) => group === undefined || isIn(row, group));
  }

  async members(): Promise<Row[]> {
    const members = membersOf(this.#family, await freshTable(), this.#known);
    for (const row of members) this.#known.add(keyOf(row));
    return members;
  }

  #ask(row: Row, until: number): void {
    if (this.#asked.has(keyOf(row))) return;
    this.#signal(row, 'SIGTERM');
    this.#signal(row, 'SIGCONT'); // a suspended one hears it only now
    if (!isFork(row.pid, this.#family.group)) this.#asked.set(keyOf(row), until);
  }

  #kill(row: Row): void {
    this.#signal(row, 'SIGKILL');
  }

  #signal(row: Row, signal: NodeJS.Signals): void {
    if (this.#send(row.pid, signal) && row.pid !== this.#family.group) this.signaled = true;
  }

  #send(pid: number, signal: NodeJS.Signals): boolean {
    try {
      return process.kill(pid, signal);
    } catch {
      return false; // Ended meanwhile. What we may not end shows in the next round, and in the end is an error.
    }
  }
}

function stuck({ mark }: Family, members: readonly Row[]): DocketError {
  const pids = members.map((row) => row.pid);
  return new DocketError(
    'IO',
    `processes of an attempt cannot be ended: ${pids.join(', ')}`,
    `look at what they wait for (ps -o pid,stat,wchan,args -p ${pids.join(',')}) and end them by hand`,
    { pids, mark },
  );
}

function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const settled = promise.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, new Promise<false>((resolve) => setImmediate(resolve, false))]);
}

/** First short, then longer; no longer than until `over`. */
async function pause(round: number, over?: Promise<unknown>): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, Math.min(2 ** (round + 1), longestPauseMs));
    const finish = () => {
      clearTimeout(timer);
      resolve();
    };
    over?.then(finish, finish);
  });
}
