import { readOne, type Where } from '../../app/one-store.ts';
import type { Finding } from '../../store/store.ts';
import type { Task } from '../../task/schema.ts';
import { packetLayout } from './format/layout.ts';
import { idFor } from './format/name.ts';
import { assertPacket } from './place.ts';

/** A packet as it is, without a lock and without writing a byte. */
export function readPacket(where: Where, id: string): { task: Task; findings: Finding[] } {
  return readOne(where, assertPacket(where.root, id), packetLayout, idFor(id));
}
