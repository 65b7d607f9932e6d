import type { Turn } from '../adapters/fold.ts';
import { DocketError } from '../errors.ts';
import { command, fix } from '../errors/command.ts';
import type { Report } from '../report/schema.ts';
import { executeTogether } from '../store/execute.ts';
import type { Store } from '../store/store.ts';
import type { Attempt } from '../task/attempt.ts';
import type { Command } from '../task/command.ts';
import type { Task } from '../task/schema.ts';
import { isCount } from '../task/used.ts';
import type { Masking } from './masking.ts';

/** A journal line has to stay small; the whole report is in the attempt's folder. */
const longestReport = 128 * 1024;
const longestMessage = 4000;

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
/** A command about the task that is recorded. */
export type Entry = Without<Command, 'id' | 'by' | 'token'>;

/** The last call of an agent, seen to its end and not written down yet. */
export interface EndedAttempt {
  step: string;
  n: number;
  turn: Turn;
  report?: Report;
  /** The cap at which we ended it. */
  spent?: string;
}

/** Writes down what happens to one claimed task. A write whose claim was lost fails with FENCED. */
export class Recorder {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #by: string;
  readonly #masking: Pick<Masking, 'value'> | undefined;
  #task: Task & { token: number };
  #last: Promise<unknown> = Promise.resolve();
  /** Why the last write failed. */
  fault: unknown;

  constructor(
    store: Store,
    task: Task & { token: number },
    by: string,
    now: () => number,
    masking?: Pick<Masking, 'value'>,
  ) {
    this.#masking = masking;
    this.#store = store;
    this.#task = task;
    this.#by = by;
    this.#now = now;
  }

  get task(): Task {
    return this.#task;
  }

  /** The step's latest one. */
  attempt(step: string): Attempt | undefined {
    return this.#task.attempts?.[step];
  }

  /** `fits` is asked in its turn: it sees all that other steps began before. Undefined: it does not fit. */
  begin(attempt: Omit<Attempt, 'n' | 'startedAt' | 'end'>, fits: () => boolean): Promise<number | undefined> {
    return this.#inTurn(async () => {
      if (!fits()) return undefined;
      const n = (this.attempt(attempt.step)?.n ?? 0) + 1;
      await this.#write([{ type: 'begin', n, ...attempt }]);
      return n;
    });
  }

  async session(step: string, n: number, session: string): Promise<void> {
    if (this.attempt(step)?.session !== session) await this.write({ type: 'session', step, n, session });
  }

  end(ended: EndedAttempt): Promise<void> {
    return this.write(endingOf(ended));
  }

  /** It was written down, and its agent never called. */
  uncalled(step: string, n: number, also: readonly Entry[] = []): Promise<void> {
    return this.write({ type: 'end', step, n, outcome: 'lost', uncalled: true }, ...also);
  }

  /** Nobody saw it end, and nothing is left to ask. */
  lost(step: string, n: number, also: readonly Entry[] = []): Promise<void> {
    return this.write({ type: 'end', step, n, outcome: 'lost' }, ...also);
  }

  /** All of it or nothing: an end and what follows from it must not be torn apart by a crash. */
  write(...entries: readonly Entry[]): Promise<void> {
    return this.#inTurn(() => this.#write(entries));
  }

  /** One after the other: steps that end together would only make each other decide again. */
  async #inTurn<T>(writes: () => Promise<T>): Promise<T> {
    const written = this.#last.then(writes);
    this.#last = written.catch(() => undefined);
    try {
      return await written;
    } catch (error) {
      this.fault = error;
      throw error;
    }
  }

  /** The task as it is now: people answer gates meanwhile. */
  async refresh(): Promise<Task> {
    await this.#last;
    const task = await this.#store.get(this.#task.id);
    if (task) this.#task = { ...task, token: this.#task.token };
    return this.#task;
  }

  async #write(entries: readonly Entry[]): Promise<void> {
    const { id, token } = this.#task;
    const masked = this.#masking?.value(entries) ?? entries;
    const commands = masked.map((entry) => ({ ...entry, id, by: this.#by, token }) as Command);
    const done = await executeTogether(this.#store, id, commands, new Date(this.#now()).toISOString());
    if (done.ok) {
      this.#task = { ...done.task, token };
      return;
    }
    const { code, message, data } = done.refusal;
    throw new DocketError(
      code === 'fenced' || code === 'not-found' ? 'FENCED' : 'REFUSED',
      message,
      fix`somebody else decided about this task meanwhile; look at it with ${command`list`}`,
      data,
    );
  }
}

export function endingOf({ step, n, turn, report, spent }: EndedAttempt): Entry {
  const { usage, sessionUsage } = turn;
  const error = spent === undefined ? turn.error : { ...turn.error, class: 'budget', message: spent };
  return {
    type: 'end',
    step,
    n,
    outcome: wasStopped(turn) ? 'stopped' : error ? 'failed' : 'ok',
    ...(error && { error: told(error) }),
    ...(error?.newSession && { poisoned: true }),
    ...(turn.denied.length > 0 && { denied: turn.denied.slice(0, 20).map((text) => text.slice(0, 300)) }),
    ...(isTold(usage) && { usage: counted(usage) }),
    ...(isTold(sessionUsage) && { sessionUsage: counted(sessionUsage) }),
    ...(report && { report: fitting(report) }),
  };
}

/** We ended it, for a reason that is not its own. */
export function wasStopped({ exit }: Turn): boolean {
  return exit?.stopped === 'canceled' || exit?.stopped === 'shutdown';
}

function told(error: Omit<NonNullable<Turn['error']>, 'class'> & { class: string }) {
  const { class: kind, message, status, resetAt } = error;
  return {
    class: kind,
    message: message.slice(0, longestMessage),
    ...(status !== undefined && { status }),
    ...(resetAt !== undefined && { resetAt }),
  };
}

type Told = NonNullable<Turn['usage']>;

/** Counters of vendors have been negative; what makes no sense is unknown. */
function isTold(usage: Told | undefined): usage is Told {
  return usage !== undefined && isCount(usage.input) && isCount(usage.output);
}

function counted({ input, cached, output, cost }: Told) {
  return { input, cached: isCount(cached) ? cached : 0, output, ...(isCount(cost) && { cost }) };
}

function fitting(report: Report): Record<string, never> {
  const whole = JSON.stringify(report);
  const kept =
    whole.length <= longestReport
      ? whole
      : JSON.stringify({ status: report.status, summary: report.summary });
  return JSON.parse(kept) as Record<string, never>;
}
