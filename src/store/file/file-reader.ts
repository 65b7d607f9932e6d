import path from 'node:path';
import { iso, type Clock } from '../../io/clock.ts';
import { fingerprint } from '../../io/files.ts';
import type { Task } from '../../task/schema.ts';
import { isFinal } from '../../task/status.ts';
import type { Ledger } from '../ledger.ts';
import type { ReadQuery, StorePlace, StoreReader } from '../store.ts';
import { loadLedger } from './load.ts';
import { noteFile, readNote } from './mirror-note.ts';
import { journalAt, placeFor, readFacts, type Place } from './place.ts';
import { DamagedSnapshot, openSnapshot, readSnapshot, type OpenSnapshot } from './snapshot.ts';

/**
 * Reads a store in plain files as the next writer will make it: with edits that nobody has taken in yet, and without
 * workers that have died. In the usual case nobody has edited people's file and nothing in it is wrong: then the
 * journal says everything, and the layout and the lifecycle, which take longer to load than to use, are not needed.
 */
export function openFileReader({ root, dir, layout }: StorePlace, clock: Clock): StoreReader {
  const place = placeFor({ root, dir, layout });
  return {
    async read(query, use) {
      let quiet: Quiet | undefined;
      try {
        quiet = query.whole ? undefined : readQuietly(place, path.join(root, layout.mirror ?? ''), query);
        if (quiet) {
          const freed = await freeGoneIn(quiet.ledger, clock);
          return use(quiet.ledger, { findings: [], freed, fromFile: false });
        }
      } catch (error) {
        if (!(error instanceof DamagedSnapshot)) throw error;
        const { overview: _, ...plain } = query;
        return await this.read(plain, use);
      } finally {
        quiet?.close();
      }
      const [{ readWhole }, loaded] = await Promise.all([import('./whole-reader.ts'), layout.load()]);
      const { tasks, ...notes } = readWhole({ root, place, layout: loaded, clock });
      return use(tasks, notes);
    },
    history: async (id) => (await import('./tail.ts')).readHistory(place, id),
    async *tail(options) {
      const { tailJournal } = await import('./tail.ts');
      yield* tailJournal(place, options);
    },
    last: async () => (await import('./tail.ts')).lastEvent(place),
    state: async (name) => (await import('./place.ts')).fileState({ root, dir, layout }).get(name),
    version: async () => fingerprint(place.journal),
    async *changes(signal) {
      const { FileChanges } = await import('../../io/watch.ts');
      yield* new FileChanges([place.journal]).changes(signal);
    },
    blobs: { get: async (hash) => (await import('./blobs.ts')).readBlob(place.blobs, hash) },
  };
}

interface Quiet {
  ledger: Ledger;
  strays: readonly number[];
  close: () => void;
}

/** Undefined: people's file has to be read. */
function readQuietly(place: Place, mirror: string, { only, overview }: ReadQuery): Quiet | undefined {
  readFacts(place);
  const open = overview ? openSnapshot : readSnapshot;
  if (place.log?.shared) return readJournal(place, open); // no file of people belongs to it
  const note = readNote(noteFile(place.dir)); // before the journal: it must not be newer than the events that we know
  const isOurs =
    fingerprint(mirror) === note.fingerprint && Object.keys(note.wrongs).length === 0 && !note.held;
  if (!isOurs && only === undefined) return undefined;
  const quiet = readJournal(place, open);
  const { ledger, strays, close } = quiet;
  const task = only === undefined ? undefined : ledger.get(only);
  const isOver = task !== undefined && isFinal(task.status);
  if (strays.length === 0 && (isOver || (isOurs && note.seq <= ledger.seq))) return quiet;
  close();
  return undefined;
}

function readJournal(place: Place, open: OpenSnapshot): Quiet {
  const journal = journalAt(place, 'read');
  let opened: ReturnType<OpenSnapshot>;
  const close = (): void => opened?.close?.();
  try {
    const { ledger } = loadLedger(place, journal, undefined, (file, log) => (opened = open(file, log)));
    return { ledger, strays: journal.strays, close };
  } catch (error) {
    close();
    throw error;
  } finally {
    journal.close();
  }
}

/** The lifecycle is loaded only if a process holds a task. */
async function freeGoneIn(ledger: Ledger, clock: Clock): Promise<ReadonlySet<string>> {
  if (![...ledger.held()].some(isHeldByProcess)) return new Set();
  const { freeGone } = await import('./whole-reader.ts');
  return freeGone(ledger, iso(clock));
}

function isHeldByProcess(task: Task): boolean {
  return 'lease' in task && task.lease?.kind === 'process';
}
