import { iso, systemClock, type Clock } from '../../io/clock.ts';
import { ownIdentity } from '../../io/identity.ts';
import type { Event } from '../../task/schema.ts';
import { Heartbeat, freeDead, heldState, startNext, workersIn } from '../claim.ts';
import { sha256 } from '../file/blobs.ts';
import { isGone } from '../gone.ts';
import { Ledger } from '../ledger.ts';
import type { Commit, LeaseTerms, State, StateValue, Store } from '../store.ts';

/** A store without a disk: for tests, and the shortest answer to what a store has to do. */
export function memoryStore(clock: Clock = systemClock, lease?: LeaseTerms): Store {
  const ledger = new Ledger();
  const log: Event[] = [];
  const bytes = new Map<string, Uint8Array>();
  const wakers = new Set<() => void>();

  const commit: Commit = (tx) => {
    const outcome = ledger.commit(tx, iso(clock));
    if (outcome.kind === 'committed') log.push(...outcome.events);
    for (const wake of wakers) wake();
    return outcome;
  };

  /** Resolves at the next commit, or at the signal. */
  const woken = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const wake = () => {
        wakers.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      wakers.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  const values = new Map<string, StateValue>();
  const state: State = {
    get: (name) => values.get(name) ?? {},
    set: (name, value) => void values.set(name, structuredClone(value)),
  };
  let claimedAt = 0;
  const heartbeat = new Heartbeat(async (claims) => claims.map((claim) => heldState(ledger, claim)), lease);

  return {
    transact: async (tx) => commit(tx),
    get: async (id) => ledger.get(id),
    list: async (query) => ledger.list(query),
    async claim(request) {
      claimedAt = ledger.seq;
      const own = { kind: 'process' as const, ...ownIdentity() };
      freeDead(ledger, isGone, iso(clock), commit);
      const started = startNext(ledger, request, own, iso(clock), freeLock, commit);
      return started.map((task) => heartbeat.hold(task, async () => undefined));
    },
    beat: async (claim) => heldState(ledger, claim),
    workers: async () => workersIn(ledger, isGone),
    read: async (_query, use) => use(ledger, { findings: [], freed: new Set(), fromFile: false }),
    history: async (id) => log.filter(({ taskId }) => taskId === id),
    async *tail({ after, signal }) {
      for (let next = after; !signal.aborted;) {
        const event = log[next];
        if (event) {
          next += 1;
          yield event;
        } else {
          await woken(signal);
        }
      }
    },
    last: async () => log.at(-1),
    blobs: {
      async put(content) {
        const hash = sha256(content);
        bytes.set(hash, Uint8Array.from(content));
        return hash;
      },
      get: async (hash) => bytes.get(hash),
    },
    exclusive: async (_keys, job) => job(ledger, commit, iso(clock), state),
    state: async (name) => state.get(name),
    version: async () => (ledger.seq === 0 ? undefined : String(ledger.seq)),
    async *changes(signal) {
      for (let seen = claimedAt; ;) {
        while (ledger.seq === seen && !signal.aborted) await woken(signal);
        if (signal.aborted) return;
        seen = ledger.seq;
        yield;
      }
    },
    now: async () => iso(clock),
    compact: async () => undefined,
    doctor: async () => [],
    close: async () => heartbeat.close(),
  };
}

/** There is one process: nobody else could hold a task. */
const freeLock = { take: () => true, release: () => undefined };
