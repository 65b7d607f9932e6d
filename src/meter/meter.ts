import { ownIdentity } from '../io/identity.ts';
import type { Most } from '../task/caps.ts';
import type { Used } from '../task/used-schema.ts';
import {
  admit,
  type Answer,
  type DayCaps,
  hasRoom,
  isOf,
  type Notice,
  parkedBy,
  triedFrom,
  type Wish,
} from './admit.ts';
import { BookFile, isWatched } from './book-file.ts';
import { parkedNow, type Book, type Call, type NewMeterEvent, type Parked } from './book.ts';

/** A call as its engine knows it. */
export type Asked = Pick<Call, 'provider' | 'agent' | 'root' | 'project' | 'task' | 'step'> & {
  mark: string;
  most?: Most;
  caps: readonly DayCaps[];
  begun?: true;
};

/** How a call ended, as far as its provider is concerned. */
export interface Over {
  used: Used;
  /** It answered: who had left it alone need not any more. */
  answered: boolean;
  notice?: Omit<Notice, 'probe'>;
}

/** Asks before every call whether it may be made, and writes down what came of it. For all docket processes of a user. */
export class Meter {
  readonly #file: BookFile;
  readonly #now: () => number;

  constructor(dir: string, now: () => number) {
    this.#file = new BookFile(dir, 'write');
    this.#now = now;
  }

  /** What the answer would be; nothing is written, so it may be another one a moment later. */
  peek(asked: Asked): Answer {
    return admit(this.#file.read(), wishOf(asked), this.#world()).answer;
  }

  /** `go`: the call is in the book, and must be told to be over. */
  admit(asked: Asked): Promise<Answer> {
    return this.#file.write(this.#now, (book) => admit(book, wishOf(asked), this.#world()));
  }

  /** A call that is made whatever anybody thinks of it. */
  async count(asked: Asked): Promise<void> {
    const { mark, call } = wishOf(asked);
    await this.#file.write(this.#now, () => ({
      answer: undefined,
      events: [{ type: 'reserved', mark, call }],
    }));
  }

  /** Returns how long its provider is left alone now, if it is. */
  over(mark: string, { used, answered, notice }: Over): Promise<Parked | undefined> {
    return this.#file.write(this.#now, (book) => {
      const call = book.calls[mark];
      const settled: NewMeterEvent = { type: 'settled', mark, used };
      if (!call) return { answer: undefined, events: [] };
      const probe = call.probe === true && !call.used; // what a dead docket had heard is no news
      if (notice) {
        const { answer, events } = this.#park(book, call.provider, { ...notice, probe });
        return { answer, events: [settled, ...events] };
      }
      const opens = probe && answered && parkedNow(book, call.provider) !== undefined;
      return {
        answer: undefined,
        events: opens ? [settled, { type: 'opened', provider: call.provider }] : [settled],
      };
    });
  }

  /** Its agent was never called. */
  async never(mark: string): Promise<void> {
    if (this.#file.read().calls[mark] === undefined) return;
    await this.#file.write(this.#now, () => ({ answer: undefined, events: [{ type: 'voided', mark }] }));
  }

  /** Leaves a provider alone because of something that a call that is over has heard. */
  park(provider: string, notice: Omit<Notice, 'probe'>): Promise<Parked> {
    return this.#file.write(this.#now, (book) => {
      // Nobody is at work to hear more: whoever was the last to try has heard this.
      const parked = parkedNow(book, provider);
      const probe = parked !== undefined && triedFrom(parked, this.#now()) <= this.#now();
      return this.#park(book, provider, { ...notice, probe });
    });
  }

  /** Somebody who knows says that it can be asked again: all accounts of that name. Returns which were left alone. */
  open(named: string): Promise<string[]> {
    return this.#file.write(this.#now, (book) => {
      const found = Object.keys(book.providers).filter((one) => isOf(one, named) && parkedNow(book, one));
      return { answer: found, events: found.map((provider) => ({ type: 'opened' as const, provider })) };
    });
  }

  /** Who is left alone, and whether somebody is just trying. */
  parked(provider: string): { parked: Parked; tried: boolean } | undefined {
    const book = this.#file.read();
    const parked = parkedNow(book, provider);
    if (!parked) return undefined;
    const tried = Object.values(book.calls).some(
      (call) => call.probe && call.provider === provider && !call.used && !call.lost && isWatched(call),
    );
    return { parked, tried };
  }

  /** Nothing keeps one call more from being made under this cap of a day. */
  hasRoom(caps: DayCaps, most: Most): boolean {
    return hasRoom(this.#file.read(), caps, most, this.#world());
  }

  book(): Book {
    return this.#file.read();
  }

  #park(book: Book, provider: string, notice: Notice): { answer: Parked; events: NewMeterEvent[] } {
    const before = Object.hasOwn(book.providers, provider) ? book.providers[provider] : undefined;
    const parked = parkedBy(notice, before, this.#now());
    return { answer: parked, events: [{ type: 'parked', provider, parked }] };
  }

  #world() {
    return { now: this.#now(), isAlive: isWatched };
  }
}

function wishOf({ mark, most, caps, begun, ...call }: Asked): Wish {
  const about = { ...(most && { most }), ...(begun && { begun }) };
  return { mark, call: { ...call, by: ownIdentity() }, caps, ...about };
}
