import { DocketError, messageOf } from '../errors.ts';
import { sleepUnless, systemClock } from '../io/clock.ts';
import { FileWatch } from '../io/watch.ts';
import type { Action, Channel, Content, Inbound, Note, Reply } from './channel.ts';
import { type Inbox, nextInbound, type Taken } from './inbox.ts';
import type { Outbox } from './outbox.ts';
import { pumpHeld, type PumpOptions } from './pump.ts';
import { backoffMs } from './send-error.ts';
import type { Entry } from './spool.ts';

/**
 * Acts on what somebody said and answers. After a crash it may be called again with the same message: whatever it
 * changes must be changed under `inbound.id`, once.
 */
type Handle = (inbound: Inbound, signal: AbortSignal) => Promise<Reply>;

export interface ServeOptions extends Omit<PumpOptions, 'drain'> {
  channel: Channel;
  inbox: Inbox;
  outbox: Outbox;
  handle: Handle;
  /** So long a message waits for others that were said before it. */
  settleMs?: number;
  /** What is answered to somebody whose message cannot be acted on. */
  sorry?: Content;
  /** What else is done for as long as this one serves the board, and ends with it. */
  beside?: readonly ((signal: AbortSignal) => Promise<void>)[];
  onNote?: (note: Note) => void;
}

/** Who waits for the answer to a pressed button, by the action's id. */
type Pressed = Map<string, (toast: string | undefined) => void>;

const maxTries = 3;
/** The vendors give up on an answer after 3 s. */
const toastWithinMs = 2500;

/** Listens, acts, answers and sends, until the signal. */
export async function serve(options: ServeOptions): Promise<void> {
  const { channel, inbox, outbox, signal } = options;
  const lock = outbox.hold();
  if (!lock)
    throw new DocketError(
      'CONFLICT',
      'another docket already serves a chat for this board',
      'use that one, or end it first',
    );
  const stop = new AbortController();
  const end = (): void => stop.abort();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const pressed: Pressed = new Map();
  const steadily = (part: (signal: AbortSignal) => Promise<unknown>): Promise<void> =>
    steady(part, { ...options, signal: stop.signal });
  const parts = [
    ...[
      (stopped: AbortSignal) => pumpHeld(outbox, channel, { ...options, signal: stopped }),
      (stopped: AbortSignal) => actOnAll({ ...options, signal: stopped }, pressed),
      ...(options.beside ?? []),
    ].map(steadily),
    channel.start(
      {
        onMessage: async (message) => void (await inbox.take(channel.name, message)),
        onAction: (action) => press(options, action, pressed),
        ...(options.onNote && { onNote: options.onNote }),
      },
      stop.signal,
    ),
  ];
  // The first that fails ends the others; nothing goes on in the background when this returns.
  for (const part of parts) part.catch(end);
  const ends = await Promise.allSettled(parts).finally(() => {
    signal.removeEventListener('abort', end);
    lock.close();
  });
  for (const part of ends) if (part.status === 'rejected') throw part.reason;
}

async function press(
  { inbox, channel }: ServeOptions,
  action: Action,
  pressed: Pressed,
): Promise<{ toast?: string }> {
  const answer = new Promise<string | undefined>((resolve) => {
    pressed.set(action.id, resolve);
    setTimeout(() => resolve(undefined), toastWithinMs).unref();
  });
  try {
    const isNew = await inbox.take(channel.name, action);
    const toast = isNew ? await answer : undefined;
    return toast === undefined ? {} : { toast };
  } finally {
    pressed.delete(action.id);
  }
}

async function actOnAll(options: ServeOptions, pressed: Pressed): Promise<void> {
  const { inbox, signal, clock = systemClock, settleMs = 200, onNote } = options;
  const watch = new FileWatch(inbox.spool.bell);
  const unreadable = (file: string) =>
    onNote?.({ kind: 'trouble', text: `${file} is no message; put aside` });
  try {
    while (!signal.aborted) {
      const next = nextInbound(inbox.spool.waiting(unreadable), clock.now(), settleMs);
      if (typeof next === 'number') await watch.changed(signal, next);
      else await actOn(options, next, pressed);
    }
  } finally {
    watch.close();
  }
}

async function actOn(options: ServeOptions, entry: Entry<Taken>, pressed: Pressed): Promise<void> {
  const {
    inbox,
    outbox,
    handle,
    channel,
    signal,
    onNote,
    backoff = backoffMs,
    random = Math.random,
  } = options;
  const { inbound } = entry.value;
  const answer = (content: Content) => {
    const key = `reply:${channel.name}:${inbound.kind}:${inbound.id}`;
    return outbox.enqueue([{ key, group: inbound.group, content, whole: true }]);
  };
  try {
    const { toast, content } = await handle(inbound, signal);
    if (content) await answer(content);
    inbox.spool.finish(entry, 'done');
    pressed.get(inbound.id)?.(toast);
  } catch (error) {
    onNote?.({ kind: 'trouble', text: `${inbound.kind} ${inbound.id}: ${messageOf(error)}` });
    const tries = entry.value.tries + 1;
    // A full disk or a held lock passes; anything else that fails again and again must not stop the rest.
    if (!passes(error) && tries >= maxTries) {
      if (options.sorry) await answer(options.sorry);
      inbox.spool.update(entry, { ...entry.value, tries, why: messageOf(error) });
      return inbox.spool.finish(entry, 'dead');
    }
    entry.value.tries = tries;
    await sleepUnless(backoff(tries, random()), signal);
  }
}

interface Steady {
  signal: AbortSignal;
  backoff?: typeof backoffMs;
  random?: () => number;
  onNote?: (note: Note) => void;
}

/** It is looked again at least this often, so that a message does not wait for long once there is room. */
const mostDoublings = 6;

/** A full disk, or a lock that others hold: nobody has to change anything in docket. */
function passes(error: unknown): boolean {
  return error instanceof DocketError && error.exitCode === 75;
}

/** A part of what is done for long: what passes by itself is told, and it begins again. */
async function steady(part: (signal: AbortSignal) => Promise<unknown>, options: Steady): Promise<void> {
  const { signal, backoff = backoffMs, random = Math.random, onNote } = options;
  for (let tries = 1; ; tries = Math.min(tries + 1, mostDoublings)) {
    try {
      await part(signal);
      return;
    } catch (error) {
      if (!passes(error) || signal.aborted) throw error;
      onNote?.({ kind: 'trouble', text: messageOf(error) });
      await sleepUnless(backoff(tries, random()), signal);
    }
  }
}
