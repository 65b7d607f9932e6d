import { randomUUID } from 'node:crypto';
import { DocketError } from '../../errors.ts';
import type { SharedLog } from '../../layout/layout.ts';
import type { Event } from '../../task/schema.ts';
import type { Ledger } from '../ledger.ts';
import { maxLineBytes, sealIn } from '../line.ts';
import { archiveLog, readOn } from './archive.ts';
import type { Journal } from './journal.ts';
import type { Place } from './place.ts';

/**
 * Under the lock, the log flushed: it moves to the archive, whole, and the new one begins with every task as it is, in
 * words that other readers of the log know. Numbers go on from the old one, so that no claim is taken for another.
 */
export function compactLog(
  place: Place,
  shared: SharedLog,
  journal: Journal,
  ledger: Ledger,
  at: string,
): void {
  const base = journal.seq;
  const facts = ledger.list({ removed: true }).flatMap((task) => shared.carry(task));
  if (facts.length === 0) return;
  let after = '';
  const lines = facts.map((fact, index) => {
    const event: Event = { v: 1, seq: base + index + 1, at, ...fact, id: randomUUID() };
    const line = journal.codec.encode(event, ledger.get(fact.taskId), index === 0 ? { base } : { after });
    after = sealIn(line);
    return line;
  });
  const long = lines.findIndex((line) => Buffer.byteLength(line) > maxLineBytes);
  if (long >= 0) {
    const id = facts[long]?.taskId;
    const message = `task ${id} is too long to be carried over into a new log in one line`;
    throw new DocketError('TOO_LARGE', message, 'nothing was changed; the log stays as it is', { id });
  }
  archiveLog(place, journal, lines.join(''));
  readOn(place, journal, (event) => ledger.apply(event));
}
