import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import type { Project } from '../../settings/project.ts';
import type { Store } from '../../store/store.ts';
import type { Task } from '../../task/schema.ts';
import type { Told } from './tell-board.ts';

type Here = Pick<Project, 'root' | 'env' | 'clock' | 'warn'>;

/** Who acts on one task by hand waits for what it leads to. */
const { signal: never } = new AbortController();

/** The result goes where the task came from. What keeps the other side from hearing it is told, and tried again later. */
export async function flowBack(where: Here, task: Task, signal: AbortSignal = never): Promise<void> {
  if (task.standsFor === undefined) return;
  const told = await quietly(where, () => tell(where, task, signal));
  if (told?.kind === 'lost') where.warn(`${told.why}; what came of it stays in task ${task.id} of the queue`);
}

/** Before anybody works on it: where it came from it is still wanted, and nobody else does it. */
export async function assertWanted(where: Here, task: Task, signal: AbortSignal): Promise<void> {
  if (task.standsFor === undefined) return;
  const told = await tell(where, task, signal).catch(unread);
  if (told.kind !== 'lost') return;
  const { id } = task;
  const freed = fix`free it there and ${command`retry ${id}`}, or ${command`cancel ${id}`}`;
  throw new DocketError('REFUSED', told.why, freed, { id });
}

/** At the start of a run: what a docket that died, or an edit of a file, left untold. */
export async function flowBackAll(where: Here, store: Store, signal: AbortSignal): Promise<void> {
  await quietly(where, async () => {
    const { readBoard } = await import('./board-task.ts');
    const board = await readBoard(where);
    for (const { id, doneBy } of board?.list({ status: ['queued', 'running', 'blocked'] }) ?? []) {
      const task = doneBy?.layout === 'queue' ? await store.get(doneBy.id) : undefined;
      if (task?.standsFor?.id === id) await quietly(where, () => tell(where, task, signal));
    }
  });
}

/** The task is what it is, whatever is wrong with the other side's files. */
async function quietly<T>(where: Here, tells: () => Promise<T>): Promise<T | undefined> {
  try {
    return await tells();
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    where.warn(fix`${error.message} (${error.fix}; the next ${command`run`} tells it)`.text);
    return undefined;
  }
}

/** Other tasks of the queue have nothing to do with a board that cannot be read. */
function unread(error: unknown): never {
  if (!(error instanceof DocketError) || error.code === 'DISK_FULL') throw error;
  throw new DocketError('REFUSED', error.message, error.advice, error.data);
}

async function tell(where: Here, task: Task, signal: AbortSignal): Promise<Told> {
  const { tellBoard } = await import('./tell-board.ts');
  return tellBoard({ ...where, warn: where.warn ?? (() => undefined) }, task, signal);
}
