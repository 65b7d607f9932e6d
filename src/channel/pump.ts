import { DocketError, messageOf } from '../errors.ts';
import { type Clock, systemClock } from '../io/clock.ts';
import { FileWatch } from '../io/watch.ts';
import type { Channel } from './channel.ts';
import type { Outbox, Post } from './outbox.ts';
import { backoffMs, fateOf } from './send-error.ts';

export interface PumpOptions {
  signal: AbortSignal;
  clock?: Clock;
  random?: () => number;
  backoff?: typeof backoffMs;
  /** After so many tries a message is given up. */
  maxTries?: number;
  digest?: Digest;
  /** Ends as soon as nothing can be sent now, instead of waiting for more. */
  drain?: boolean;
  onTrouble?: (trouble: Trouble) => void;
}

/** `given-up`: it is in `dead/` with its reason. `unreadable`: a file that docket did not write. */
export type Trouble =
  | { kind: 'retry'; group: string; why: string; inMs: number }
  | { kind: 'given-up'; group: string; why: string }
  | { kind: 'unreadable'; file: string };

export interface Pumped {
  sent: number;
  givenUp: number;
}

/** At five minutes between tries: most of a day. */
const defaultTries = 200;

/**
 * Sends what waits, in order for each group, until the signal. A message is marked as sent after the vendor has it, so
 * a death in between sends it again with the same key, and the vendor shows it once.
 */
export async function pump(outbox: Outbox, channel: Channel, options: PumpOptions): Promise<Pumped> {
  const lock = outbox.hold();
  if (!lock)
    throw new DocketError(
      'CONFLICT',
      'another docket is sending the messages of this board',
      'let it do so, or end it first',
      { path: outbox.spool.file('pump.lock') },
    );
  try {
    return await pumpHeld(outbox, channel, options);
  } finally {
    lock.close();
  }
}

/** The same for who has the lock already. */
export async function pumpHeld(outbox: Outbox, channel: Channel, options: PumpOptions): Promise<Pumped> {
  const { signal, clock = systemClock, drain = false, digest, onTrouble } = options;
  const watch = new FileWatch(outbox.spool.bell);
  const total: Pumped = { sent: 0, givenUp: 0 };
  let pausedUntil = 0;
  try {
    while (!signal.aborted) {
      const posts = outbox.spool.waiting((file) => onTrouble?.({ kind: 'unreadable', file }));
      if (putAwayCovered(outbox, posts)) continue;
      if (digest && foldMany(outbox, posts, digest, clock.now())) continue;
      const next = nextPost(posts, clock.now());
      if (next.kind === 'send' && pausedUntil <= clock.now()) {
        const sent = await sendOne(outbox, next.post, channel, options);
        if (sent.kind === 'sent') total.sent += 1;
        if (sent.kind === 'given-up') total.givenUp += 1;
        if (sent.kind === 'paused') pausedUntil = sent.until;
        continue;
      }
      if (drain) break;
      const until = next.kind === 'wait' ? next.until : next.kind === 'send' ? pausedUntil : Infinity;
      await watch.changed(signal, Math.max(until - clock.now(), 1));
    }
  } finally {
    watch.close();
  }
  return total;
}

type Tried = { kind: 'sent' | 'given-up' | 'again' } | { kind: 'paused'; until: number };

async function sendOne(outbox: Outbox, post: Post, channel: Channel, options: PumpOptions): Promise<Tried> {
  const { signal, clock = systemClock, random = Math.random, backoff = backoffMs, onTrouble } = options;
  const { key } = post;
  const { nextAt: _, ...value } = post.value;
  const tries = value.tries + 1;
  outbox.spool.update(post, { ...value, tries });
  try {
    await channel.send({ key, group: value.group, content: value.content }, signal);
  } catch (error) {
    if (signal.aborted) return { kind: 'again' };
    const why = messageOf(error);
    const fate = fateOf(error);
    if (fate.retry === 'never' || tries >= (options.maxTries ?? defaultTries)) {
      outbox.spool.update(post, { ...value, tries, why });
      outbox.spool.finish(post, 'dead');
      onTrouble?.({ kind: 'given-up', group: value.group, why });
      return { kind: 'given-up' };
    }
    const inMs = Math.max(backoff(tries, random()), fate.afterMs ?? 0);
    outbox.spool.update(post, { ...value, tries, why, nextAt: clock.now() + inMs });
    onTrouble?.({ kind: 'retry', group: value.group, why, inMs });
    return fate.wide ? { kind: 'paused', until: clock.now() + inMs } : { kind: 'again' };
  }
  outbox.spool.finish(post, 'done');
  return { kind: 'sent' };
}

const longestMs = 2 * 60 * 60_000;

type Next = { kind: 'send'; post: Post } | { kind: 'wait'; until: number } | { kind: 'nothing' };

/**
 * What to send now. A group's messages go out in order, so one that has to be tried again holds up those behind it in
 * its group; one whose time has not come holds up nobody. `posts` are in order.
 */
function nextPost(posts: readonly Post[], now: number): Next {
  const held = new Set<string>();
  let soonest = Infinity;
  for (const post of posts) {
    const { group, after = 0, nextAt = 0 } = post.value;
    if (held.has(group)) continue;
    // Nobody waits longer than that for a next try: the clock was set back.
    const due = Math.max(after, nextAt > now + longestMs ? 0 : nextAt);
    if (due <= now) return { kind: 'send', post };
    soonest = Math.min(soonest, due);
    if (after <= now) held.add(group);
  }
  return soonest === Infinity ? { kind: 'nothing' } : { kind: 'wait', until: soonest };
}

export interface Digest {
  /** When more than so many wait for a group they become one message. */
  over: number;
  render(texts: readonly string[]): string;
}

/**
 * Makes one message of many that wait for the same group. The digest is on disk before those that it stands for are
 * put away, and names them: killed in between, the next run finishes it, and nothing is told twice. True: look again.
 */
function foldMany(outbox: Outbox, posts: readonly Post[], digest: Digest, now: number): boolean {
  let folded = false;
  const open = posts.filter((post) => canFold(post, now));
  for (const group of new Set(open.map((post) => post.value.group))) {
    const many = open.filter((post) => post.value.group === group);
    const [first] = many;
    if (!first || many.length <= digest.over) continue;
    const texts = many.map(({ value }) => (value.content.kind === 'text' ? value.content.text : ''));
    const covers = many.map((post) => post.name);
    const content = { kind: 'text' as const, text: digest.render(texts) };
    outbox.spool.insertAt(first, `digest:${first.key}`, { group, content, tries: 0, whole: true, covers });
    for (const post of many) outbox.spool.finish(post, 'done');
    folded = true;
  }
  return folded;
}

function canFold({ value }: Post, now: number): boolean {
  return value.content.kind === 'text' && !value.whole && value.tries === 0 && (value.after ?? 0) <= now;
}

/** What a digest stands for that was made before a crash. True: look again. */
function putAwayCovered(outbox: Outbox, posts: readonly Post[]): boolean {
  const covered = new Set(posts.flatMap((post) => post.value.covers ?? []));
  const left = posts.filter((post) => covered.has(post.name));
  for (const post of left) outbox.spool.finish(post, 'done');
  return left.length > 0;
}
