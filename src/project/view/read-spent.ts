import { DocketError } from '../../errors.ts';
import { BookFile, callsIn } from '../../meter/book-file.ts';
import { dayOf, isFor, parkedNow, type Book, type Call, type Here } from '../../meter/book.ts';
import { noCost, type SpentCache } from './spent.ts';
import type { Cost, ViewFinding } from './types.ts';

/** The account book from its first page on. What cannot be read is a finding: then what it cost is unknown, not nothing. */
export function readSpent(
  here: Here,
  dir: string,
): { spent?: Omit<SpentCache, 'stamps'>; findings: ViewFinding[] } {
  const findings: ViewFinding[] = [];
  const damaged = (path: string, line: number): void => {
    const message = 'this line of the account book cannot be read, and is not counted';
    findings.push({ layout: 'meter', path: `${path}:${line}`, message, fix: 'mend it from a backup' });
  };
  try {
    const book = new BookFile(dir, 'read').read();
    const calls = callsIn(dir, damaged).filter((call) => isFor(here, call));
    const day = calls.reduce((latest, { at }) => (dayOf(at) > latest ? dayOf(at) : latest), '');
    const open = calls.filter(({ used, lost }) => !used && !lost).map(({ by, at }) => ({ by, at }));
    const ofDay = calls.filter(({ at }) => dayOf(at) === day);
    return {
      spent: { all: costOf(calls), day: { day, cost: costOf(ofDay) }, open, parked: parkedIn(book) },
      findings,
    };
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    const { message, fix, data } = error;
    const path = typeof data['path'] === 'string' ? data['path'] : dir;
    return { findings: [{ layout: 'meter', path, message, fix }] };
  }
}

function costOf(calls: readonly Call[]): Cost {
  const cost = { ...noCost };
  for (const { used, lost } of calls) {
    if (used) {
      cost.calls += used.calls;
      cost.tokens += used.tokens;
      cost.money += used.money;
      cost.untold += used.untold ?? 0;
      cost.unpriced += used.unpriced ?? 0;
    } else if (lost) cost.lost += 1;
    else cost.open += 1;
  }
  return cost;
}

function parkedIn(book: Book): SpentCache['parked'] {
  return Object.keys(book.providers).flatMap((provider) => {
    const parked = parkedNow(book, provider);
    if (!parked) return [];
    const probes = Object.values(book.calls).filter(
      (call) => call.probe && call.provider === provider && !call.used && !call.lost,
    );
    return [{ provider, ...parked, probes: probes.map(({ by }) => by) }];
  });
}
