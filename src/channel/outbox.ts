import * as v from 'valibot';
import { openMutex, type LockKind, type Mutex } from '../io/lock.ts';
import { contentSchema, type Content } from './channel.ts';
import { Spool, type Entry } from './spool.ts';

/** A posting on its way. */
const waitingSchema = v.object({
  group: v.pipe(v.string(), v.nonEmpty()),
  content: contentSchema,
  /** Not before this time (milliseconds). */
  after: v.exactOptional(v.number()),
  /** Never made a line of a digest: an answer that somebody waits for. */
  whole: v.exactOptional(v.literal(true)),
  /** Counted before each try: one that may have been seen is never told again in other words. */
  tries: v.pipe(v.number(), v.safeInteger()),
  nextAt: v.exactOptional(v.number()),
  /** Why the last try failed. */
  why: v.exactOptional(v.string()),
  /** It stands for these. */
  covers: v.exactOptional(v.array(v.string())),
});
type Waiting = v.InferOutput<typeof waitingSchema>;

/** What is to be sent. The key is that of the event it tells about, so that telling twice is telling once. */
export type Posting = Pick<Waiting, 'group' | 'content' | 'after' | 'whole'> & { key: string };
export type Post = Entry<Waiting>;

/** Messages that were decided and not yet sent. They survive everything but the disk. */
export class Outbox {
  readonly spool: Spool<Waiting>;
  readonly #lock: LockKind;
  readonly #mask: (content: Content) => Content;

  /** `mask`: takes out what nobody may be sent. */
  constructor(base: string, lock: LockKind, mask: (content: Content) => Content = (content) => content) {
    this.#mask = mask;
    this.spool = new Spool(base, 'outbox', { lock, schema: waitingSchema });
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
