import type { Where } from '../../app/one-store.ts';
import { readQuietStore } from '../../store/file/quiet-reader.ts';
import type { Task } from '../../task/schema.ts';
import { idFor, manifestFile } from './format/name.ts';
import { assertPacket } from './place.ts';

/** What `readPacket` reads, without the layout when nobody has edited the manifest: to load it takes longer than to read. */
export async function lookUp(where: Where, id: string): Promise<Task> {
  const { dir: root, own: dir } = assertPacket(where.root, id);
  const quiet = await readQuietStore({ root, dir, mirror: manifestFile, clock: where.clock });
  const task = quiet?.list({}).find((one) => one.id === idFor(id));
  if (task) return task;
  const { readPacket } = await import('./read.ts');
  return readPacket(where, id).task;
}
