import path from 'node:path';
import type { Project } from '../../settings/project.ts';
import { giveUp } from '../give-up.ts';
import { withOne } from '../one-store.ts';
import type { Packet } from './api.ts';
import { packetLayout } from './format/layout.ts';
import { idFor } from './format/name.ts';
import { assertPacket } from './place.ts';
import { readPacket, viewOf } from './read.ts';

/** What its agents left out of scope the docket that runs it undoes, or the next run. */
export async function cancelPacket(where: Project, id: string, reason?: string): Promise<Packet> {
  const place = assertPacket(where.root, id);
  await readPacket(where, id); // says what is wrong with it when it cannot be read
  const folderOf = (step: string, n: number) => path.join(place.raw, 'attempts', step, String(n));
  return withOne(where, place, packetLayout, async (store) =>
    viewOf(await giveUp(store, where, { id: idFor(id), reason }, folderOf)),
  );
}
