import fc from 'fast-check';
import { admit, type DayCaps, parkedBy, type Wish } from '../../src/meter/admit.ts';
import {
  emptyBook,
  applyEvent,
  parkedNow,
  type Book,
  type Call,
  type NewMeterEvent,
} from '../../src/meter/book.ts';
import type { Used } from '../../src/task/used-schema.ts';

/**
 * Two docket processes at one book, killed at random. A call really is made between its admission and its end; a kill
 * takes the process from its calls, which go on, cost what they cost, and are read by the next process or by nobody.
 */
export const step = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ do: fc.constant('ask' as const), by: fc.nat(1), provider: fc.nat(1) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('end' as const), call: fc.nat(20), cents: fc.nat(9) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('limit' as const), call: fc.nat(20), told: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('kill' as const), by: fc.nat(1) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('take' as const), by: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.nat(4000) }) },
);

const morning = new Date(2026, 2, 1, 1).getTime();
export const evening = morning + 20 * 3600_000;
export const most = 0.09;

export class World {
  book: Book = emptyBook();
  now = morning;
  lives = [0, 0];
  n = 0;
  /** Calls that were really made, and what they cost. */
  readonly made = new Map<string, { provider: string; cost?: number }>();
  readonly caps: readonly DayCaps[];
  readonly faults: string[] = [];
  /** At some time a call counted as lost: its cost was unknown then, even if a later process read it. */
  hadLost = false;
  readonly ceiling: boolean;

  constructor(money: number, calls: number, ceiling: boolean) {
    this.ceiling = ceiling;
    this.caps = [
      { scope: 'day', caps: { money } },
      { scope: 'providers.p0', caps: { calls }, provider: 'p0' },
    ];
  }

  write(events: readonly NewMeterEvent[]): void {
    this.hadLost ||= events.some(({ type }) => type === 'lost');
    for (const event of events)
      this.book = applyEvent(this.book, { v: 1, at: new Date(this.now).toISOString(), ...event });
  }

  name(by: number): string {
    return `${by}.${this.lives[by]}`;
  }

  wish(mark: string, provider: string, by: number): Wish {
    const who = { host: 'h', pid: 1, startTime: this.name(by), bootId: '' };
    const call = { provider, agent: 'a', root: '/', task: mark, step: 's', by: who };
    return { mark, call, caps: this.caps, ...(this.ceiling && { most: { money: most } }) };
  }

  isAlive(startTime: string | undefined): boolean {
    return this.lives.some((_, one) => this.name(one) === startTime);
  }

  ask(by: number, provider: string): void {
    const mark = `m${(this.n += 1)}`;
    const before = structuredClone(this.book);
    const world = { now: this.now, isAlive: (call: Call) => this.isAlive(call.by.startTime) };
    const { answer, events } = admit(before, this.wish(mark, provider, by), world);
    this.write(events);
    if (answer.kind !== 'go') return;
    this.made.set(mark, { provider });
    const parked = parkedNow(before, provider);
    this.#hold(answer.probe === (parked !== undefined), `${mark} does not know that it tries`);
    if (!parked) return;
    // Nobody but one is let through to a provider that is left alone, and not before its time.
    this.#hold(Date.parse(parked.until) <= this.now, `${mark} came too early`);
    const others = Object.values(before.calls).filter((c) => c.probe && c.provider === provider);
    const tries = others.filter((c) => !c.used && !c.lost && this.isAlive(c.by.startTime));
    this.#hold(tries.length === 0, `${mark} was not the only one that tried`);
  }

  #hold(truth: boolean, otherwise: string): void {
    if (!truth) this.faults.push(otherwise);
  }

  /** What must hold of the book and of what was really done. */
  check(money: number): string[] {
    const calls = [...this.made.entries()];
    const inBook = Object.keys(this.book.calls).toSorted().join();
    this.#hold(
      inBook ===
        calls
          .map(([mark]) => mark)
          .toSorted()
          .join(),
      'the book has other calls',
    );
    for (const [mark, { cost }] of calls) {
      const used = this.book.calls[mark]?.used;
      this.#hold(!used || used.money === cost, `${mark} cost ${cost}, and not ${used?.money}`);
    }
    this.#hold(calls.filter(([, { provider }]) => provider === 'p0').length <= 6, 'too many calls');
    // A call that nobody ever told of is known by no guess: then, and only then, the cap may be passed by more.
    const told = this.ceiling || !this.hadLost;
    const spent = calls.reduce((sum, [, { cost }]) => sum + (cost ?? 0), 0);
    this.#hold(!told || spent <= money + most + 1e-9, `${spent} of ${money} were spent`);
    return this.faults;
  }

  open(): string[] {
    return [...this.made].flatMap(([mark, { cost }]) => (cost === undefined ? [mark] : []));
  }

  end(at: number, cost: number): void {
    const open = this.open();
    const mark = open[at % Math.max(1, open.length)];
    const call = mark === undefined ? undefined : this.made.get(mark);
    if (mark === undefined || !call) return;
    call.cost = cost;
    // Only who still watches over it can say so.
    const reserved = this.book.calls[mark];
    if (!this.isAlive(reserved?.by.startTime)) return;
    const probe = reserved?.probe === true;
    this.write([{ type: 'settled', mark, used: usedOf(cost) }, ...(probe ? [opened(call.provider)] : [])]);
  }

  limit(at: number, told: boolean): void {
    const open = this.open();
    const mark = open[at % Math.max(1, open.length)];
    const call = mark === undefined ? undefined : this.made.get(mark);
    if (mark === undefined || !call) return;
    this.end(at, 0);
    const probe = this.book.calls[mark]?.probe === true;
    const resetAt = told ? { resetAt: new Date(this.now + 600_000).toISOString() } : {};
    const notice = { kind: 'limit' as const, reason: 'r', source: mark, probe, ...resetAt };
    const parked = parkedBy(notice, this.book.providers[call.provider], this.now);
    this.write([{ type: 'parked', provider: call.provider, parked }]);
  }

  /** The next process of the same place reads what the dead one's calls have come to. */
  take(by: number): void {
    for (const [mark, { cost }] of this.made) {
      const call = this.book.calls[mark];
      if (!call || call.used || this.isAlive(call.by.startTime)) continue;
      this.write(
        admit(this.book, this.wish(mark, call.provider, by), { now: this.now, isAlive: () => true }).events,
      );
      if (cost !== undefined) this.write([{ type: 'settled', mark, used: usedOf(cost) }]);
    }
  }
}

const opened = (provider: string): NewMeterEvent => ({ type: 'opened', provider });
const usedOf = (money: number): Used => ({ calls: 1, tokens: 0, money, seconds: 0 });
