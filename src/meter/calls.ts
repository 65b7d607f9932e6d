import { liveness } from '../io/identity.ts';
import { wholeBook } from './book-file.ts';
import type { Call } from './book.ts';

/** Somebody will say what it used. If not, that is known when the next docket has read what it left. */
export function isWatched({ by }: Pick<Call, 'by'>): boolean {
  return liveness(by) !== 'dead';
}

/** Every call that was ever written down, as it is now. `damaged` hears of lines that cannot be read. */
export function callsIn(dir: string, damaged?: (file: string, line: number) => void): Call[] {
  const calls = new Map<string, Call>();
  for (const event of wholeBook(dir, damaged)) {
    if (event.type === 'carried')
      for (const [mark, call] of Object.entries(event.book.calls)) calls.set(mark, call);
    if (event.type === 'reserved')
      calls.set(event.mark, { ...event.call, at: calls.get(event.mark)?.at ?? event.at });
    if (event.type === 'voided') calls.delete(event.mark);
    const call = 'mark' in event ? calls.get(event.mark) : undefined;
    if (call && event.type === 'settled') calls.set(event.mark, { ...call, used: event.used });
    if (call && event.type === 'lost') calls.set(event.mark, { ...call, lost: true });
  }
  return [...calls.values()];
}
