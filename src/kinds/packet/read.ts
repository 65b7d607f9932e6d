import type { Project } from '../../settings/project.ts';
import { readOne, type FoundOne } from '../one-store.ts';
import { idFor, lazyPacketLayout } from './format/name.ts';
import { assertPacket } from './place.ts';

/** A packet as it is, without a lock and without writing a byte. */
export async function readPacket(where: Project, id: string): Promise<FoundOne> {
  return readOne(where, assertPacket(where.root, id), lazyPacketLayout, idFor(id));
}
