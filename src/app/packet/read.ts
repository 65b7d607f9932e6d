import { packetLayout } from '../../layout/packet/layout.ts';
import { idFor } from '../../layout/packet/name.ts';
import type { Finding } from '../../store/backend.ts';
import type { Task } from '../../task/schema.ts';
import { readOne, type Where } from '../one-store.ts';
import { assertPacket } from './place.ts';

/** A packet as it is, without a lock and without writing a byte. */
export function readPacket(where: Where, id: string): { task: Task; findings: Finding[] } {
  return readOne(where, assertPacket(where.root, id), packetLayout, idFor(id));
}
