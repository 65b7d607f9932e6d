import { iso, systemClock, type Clock } from '../io/clock.ts';
import { ownIdentity } from '../io/identity.ts';
import type { Event } from '../task/schema.ts';
import { heldState, startNext } from './claim.ts';
import { sha256 } from './file/blobs.ts';
import { Ledger } from './ledger.ts';
import type { Store, Claim } from './store.ts';

/** A store without a disk: for tests, and the shortest answer to what a store has to do. */
export function memoryStore(clock: Clock = systemClock): Store {
  const ledger = new Ledger();
  const log: Event[] = [];
  const bytes = new Map<string, Uint8Array>();
  const wakers = new Set<() => void>();

  const commit: Store['transact'] extends (tx: infer T) => unknown
    ? (tx: T) => ReturnType<Ledger['commit']>
    : never = (tx) => {
    const outcome = ledger.commit(tx, iso(clock));
    if (outcome.kind === 'committed') log.push(...outcome.events);
    for (const wake of wakers) wake();
    return outcome;
  };

  return {
    transact: async (tx) => commit(tx),
    get: async (id) => ledger.get(id),
    list: async (query) => ledger.list(query),
    async claim(request) {
      const lease = { kind: 'process' as const, ...ownIdentity() };
      const started = startNext(ledger, request, lease, iso(clock), freeLock, commit);
      return started.map((task): Claim => ({ task, token: task.token, release: async () => undefined }));
    },
    beat: async (claim) => heldState(ledger, claim),
    read: async (_query, use) => use(ledger, { findings: [], freed: new Set(), fromFile: false }),
    history: async (id) => log.filter(({ taskId }) => taskId === id),
    async *tail({ after, signal }) {
      for (let next = after; !signal.aborted;) {
        const event = log[next];
        if (event) {
          next += 1;
          yield event;
        } else {
          await new Promise<void>((resolve) => {
            const wake = () => {
              wakers.delete(wake);
              signal.removeEventListener('abort', wake);
              resolve();
            };
            wakers.add(wake);
            signal.addEventListener('abort', wake, { once: true });
          });
        }
      }
    },
    blobs: {
      async put(content) {
        const hash = sha256(content);
        bytes.set(hash, Uint8Array.from(content));
        return hash;
      },
      get: async (hash) => bytes.get(hash),
    },
    doctor: async () => [],
    close: async () => undefined,
  };
}

/** There is one process, and its death ends the store. */
const freeLock = { take: () => true, release: () => undefined };
