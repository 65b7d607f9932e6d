import { command, fix } from '../errors/command.ts';
import type { Store } from '../store/store.ts';
import type { Task } from '../task/schema.ts';
import { refuse, type ActInput, type Changed, type OpenProject } from './act.ts';
import { giveUp } from './give-up.ts';
import type { FoundTask } from './kind.ts';

type Opened = <T>(use: (store: Store) => Promise<T>) => Promise<T>;

/** Gives up a task that has a folder of its own, and ends its agents. */
export async function cancelOne(
  project: OpenProject,
  { task, name }: FoundTask,
  { reason, dryRun }: ActInput,
  open: Opened,
  folderOf: (step: string, n: number) => string,
): Promise<Changed> {
  if (task.status === 'canceled') return { status: 'canceled', changed: false };
  if (task.status === 'done')
    throw refuse(
      task,
      name,
      'it is done and cannot be canceled',
      fix`see what came of it: ${command`show ${name}`}`,
    );
  if (dryRun) return { status: 'canceled', changed: true };
  const ended = await open((store) => giveUp(store, project, { id: task.id, reason }, folderOf));
  return { status: ended.status, changed: true };
}

/** It is queued already, or would be. Undefined: it has to be put back. */
export function isBackAlready(task: Task, { dryRun }: ActInput): Changed | undefined {
  if (task.status === 'queued') return { status: 'queued', changed: false };
  return dryRun ? { status: 'queued', changed: true } : undefined;
}
