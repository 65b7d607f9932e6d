import { DocketError } from '../../errors.ts';
import type { Project } from '../../settings/project.ts';
import { readConfig } from '../../settings/read-config.ts';
import type { Task } from '../../task/schema.ts';
import type { Retained } from './api.ts';
import { archivedIds, deleteArchived, moveToArchive, readArchived } from './archive.ts';
import { retentionOf } from './format/retention.ts';
import { packetIds } from './place.ts';
import { readPacket } from './read.ts';
import { manifestOf } from './view.ts';

/**
 * Does what the policy says, or tells it. The archive comes first, so that nothing is archived and deleted in one go: a
 * person can always take it back in between.
 */
export async function retainPackets(where: Project, dryRun: boolean): Promise<Retained[]> {
  const policy = (await readConfig(where.root, where.env)).packets?.retention ?? {};
  const now = where.clock.now();
  const judged = (task: Task, archived: boolean): Said =>
    retentionOf({ task, retention: manifestOf(task).retention, archived }, policy, now);
  const retained: Retained[] = [];
  for (const id of archivedIds(where.root)) {
    const said = await unlessUnreadable(async () => judged(await readArchived(where, id), true));
    if (said.action === 'delete' && !dryRun) deleteArchived(where, id);
    retained.push({ id, from: 'archive', ...said });
  }
  for (const id of packetIds(where.root)) {
    const said = await unlessUnreadable(async () => judged((await readPacket(where, id)).task, false));
    if (said.action === 'archive' && !dryRun) await moveToArchive(where, id);
    retained.push({ id, from: 'task', ...said });
  }
  return retained;
}

type Said = Pick<Retained, 'action' | 'why'>;

/** What cannot be read is nobody's to clear away. */
async function unlessUnreadable(judge: () => Promise<Said>): Promise<Said> {
  try {
    return await judge();
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    return { action: 'keep', why: `it cannot be read: ${error.message}` };
  }
}
