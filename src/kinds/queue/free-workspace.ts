import { tearDown } from '../../engine/environment/commands.ts';
import { forgetEnvironment } from '../../engine/environment/record.ts';
import { useIfFree, type Use } from '../../engine/environment/use.ts';
import { DocketError } from '../../errors.ts';
import { exists } from '../../io/links.ts';
import type { Config } from '../../settings/config.ts';
import { environmentKey, environmentOptions } from '../../settings/environment.ts';
import type { Task } from '../../task/schema.ts';
import type { FinishedPlaces } from './finished.ts';
import { notedOf } from './format/noted.ts';
import { ownOf } from './format/record.ts';

/** Takes a workspace away while nobody has it in use, after its teardown. What is noted about its setup goes with it. */
export async function takeAway<T>(
  { root, env }: Pick<FinishedPlaces, 'root' | 'env'>,
  config: Config,
  task: Task,
  remove: () => Promise<T>,
): Promise<T> {
  const { workspace } = notedOf(task);
  if (workspace === undefined) return remove();
  const use = taken(root, task);
  try {
    if (exists(workspace)) await toreDown({ root, env, config }, task, workspace);
    const done = await remove();
    if (!exists(workspace)) forgetEnvironment(root, environmentKey('queue', task.id));
    return done;
  } finally {
    use.release();
  }
}

/** Nobody has its workspace in use now. */
export function assertUnused(root: string, task: Task): void {
  taken(root, task).release();
}

function taken(root: string, task: Task): Use {
  const use = useIfFree(root, environmentKey('queue', task.id));
  if (use) return use;
  const message = `the workspace of ${ownOf(task).name} is in use: ${notedOf(task).workspace ?? ''}`;
  throw new DocketError('REFUSED', message, 'try again when nobody works on it', { id: task.id });
}

/** A failure stands in the way: what it was to end may still be running. */
async function toreDown(
  project: Parameters<typeof environmentOptions>[0],
  task: Task,
  workspace: string,
): Promise<void> {
  const options = environmentOptions(project, {
    layout: 'queue',
    id: task.id,
    task,
    cwd: () => workspace,
    goOn: '',
    tell: () => undefined,
    workspace: { place: workspace, id: task.id },
  });
  const problem = options && (await tearDown(options, new AbortController().signal));
  if (problem === undefined) return;
  throw new DocketError(
    'REFUSED',
    `the workspace of ${ownOf(task).name} stays: ${problem}`,
    'mend setup.teardown, or take it out, and try again',
    { id: task.id, workspace },
  );
}
