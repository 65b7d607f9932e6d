import { openMutex, type LockKind, type Mutex } from '../io/lock.ts';
import { isObject } from '../task/json.ts';
import type { Content } from './channel.ts';
import { asContent } from './check.ts';
import { textIn } from './fields.ts';
import { Spool, type Entry } from './spool.ts';

/** What is to be sent. The key is that of the event it tells about, so that telling twice is telling once. */
export interface Posting {
  key: string;
  group: string;
  content: Content;
  /** Not before this time (milliseconds). */
  after?: number;
  /** Never made a line of a digest: an answer that somebody waits for. */
  whole?: true;
}

/** A posting on its way. */
export interface Waiting {
  group: string;
  content: Content;
  after?: number;
  whole?: true;
  /** Counted before each try: one that may have been seen is never told again in other words. */
  tries: number;
  nextAt?: number;
  /** Why the last try failed. */
  why?: string;
  /** It stands for these. */
  covers?: readonly string[];
}

export type Post = Entry<Waiting>;

/** Messages that were decided and not yet sent. They survive everything but the disk. */
export class Outbox {
  readonly spool: Spool<Waiting>;
  readonly #lock: LockKind;
  readonly #mask: (content: Content) => Content;

  /** `mask`: takes out what nobody may be sent. */
  constructor(base: string, lock: LockKind, mask: (content: Content) => Content = (content) => content) {
    this.#mask = mask;
    this.spool = new Spool(base, 'outbox', { lock, check: asWaiting });
    this.#lock = lock;
  }

  /** How many are new. */
  async enqueue(postings: readonly Posting[]): Promise<number> {
    if (postings.length === 0) return 0;
    const added = await this.spool.put(
      postings.map(({ key, ...posting }) => ({
        key,
        value: { ...posting, content: this.#mask(posting.content), tries: 0 },
      })),
    );
    return added.filter(Boolean).length;
  }

  counts(): { waiting: number; dead: number } {
    return { waiting: this.spool.count('waiting'), dead: this.spool.count('dead') };
  }

  /** What was given up is tried again, as if for the first time but with the same key. */
  retryDead(): Promise<number> {
    return this.spool.revive(({ why: _, nextAt: __, ...waiting }) => ({ ...waiting, tries: 1 }));
  }

  /** Only one process sends. Undefined: another one does. */
  hold(): Mutex | undefined {
    const mutex = openMutex(this.spool.file('pump.lock'), this.#lock);
    if (mutex.tryLock()) return mutex;
    mutex.close();
    return undefined;
  }
}

function asWaiting(value: unknown): Waiting | undefined {
  if (!isObject(value)) return undefined;
  const group = textIn(value, 'group');
  const content = asContent(value['content']);
  const { tries, after, nextAt, why, covers } = value;
  if (group === '' || !content || !Number.isSafeInteger(tries)) return undefined;
  return {
    group,
    content,
    tries: Number(tries),
    ...(typeof after === 'number' && { after }),
    ...(typeof nextAt === 'number' && { nextAt }),
    ...(typeof why === 'string' && { why }),
    ...(value['whole'] === true && { whole: true as const }),
    ...(Array.isArray(covers) && { covers: covers.map(String) }),
  };
}
