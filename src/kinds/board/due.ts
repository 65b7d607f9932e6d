import path from 'node:path';
import { sizeAndInode } from '../../io/files.ts';
import type { Project } from '../../settings/project.ts';
import type { OrderedWork } from '../due.ts';
import { logFile } from './format/places.ts';

/** One pass over what is ordered on the board: its own slots say how many workers. */
export async function orderedOnBoard(project: Project): Promise<OrderedWork[]> {
  const { root, clock } = project;
  if (sizeAndInode(path.join(root, logFile)) === undefined) return [];
  const { readBoard } = await import('./look.ts');
  const reader = readBoard({ root, clock });
  const tasks = await reader.read({}, (found) => found.list({ status: ['queued', 'blocked'] }));
  // Steps of an `autopilot N` that a machine's death, or a stop, left undone, where there is a task for them.
  const free = tasks.filter(({ status, owner }) => status === 'queued' && owner === undefined);
  const { autopilotIn, autopilotName } = await import('./autopilot-state.ts');
  const { stepsLeft } = free.length > 0 ? autopilotIn(await reader.state(autopilotName)) : { stepsLeft: 0 };
  const left = `${stepsLeft} steps for ${free.map(({ id, rev }) => `${id}@${rev}`).join()}`;
  const work: OrderedWork['work'] = async (signal, onProgress) => {
    const [{ deskAt }, { autopilot }] = await Promise.all([import('./desk.ts'), import('./autopilot.ts')]);
    await autopilot(deskAt(project), { signal, locale: 'en', onProgress });
    return undefined;
  };
  const title = 'what is ordered on the board';
  return [{ layout: 'board', id: 'board', title, tasks, ...(stepsLeft > 0 && { also: left }), work }];
}
