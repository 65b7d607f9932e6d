import { randomInt } from 'node:crypto';
import type { Clock } from '../io/clock.ts';
import { idFrom, idTailSpan } from '../task/id.ts';

let last = { ms: 0, tail: 0 };

/**
 * A new id: sorts by time, and is unique across processes, work trees and branches. Within one process and
 * millisecond the random part counts up, from the lower half, so ids made in a row keep their order.
 */
export function newId(clock: Clock): string {
  const ms = Math.max(clock.now(), last.ms);
  const tail = ms === last.ms ? last.tail + 1 : randomInt(idTailSpan / 2);
  last = { ms, tail };
  return idFrom(ms, tail);
}
