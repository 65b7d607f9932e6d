import type { Places } from '../../app/run.ts';
import { settingFor, settingKey } from '../../app/setting.ts';
import type { StepProgress } from '../../engine/run-workflow.ts';
import { useWorkspace, type Use } from '../../engine/setting-use.ts';
import type { Setting } from '../../engine/setting.ts';
import type { Step } from '../../task/run.ts';
import type { Task } from '../../task/schema.ts';
import { ownOf } from './format/record.ts';
import type { TaskRun } from './task-run.ts';

/** A task's workspace, from before it is made until nobody works in it any more: nobody takes it away meanwhile. */
export async function inUse(
  { id, spec: { workspace } }: Task,
  { root }: Pick<Places, 'root'>,
  signal: AbortSignal,
): Promise<Use | undefined> {
  if (workspace === undefined || workspace.kind === 'inplace') return undefined;
  return useWorkspace(root, settingKey('queue', id), signal);
}

/** What the settings want to be there before a task of the queue is worked on. */
export function queueSetting(
  task: Task,
  { places, config, cwd, tree, workspace }: TaskRun,
  told: (progress: StepProgress) => void,
): Setting | undefined {
  const { name } = ownOf(task);
  const about = { id: task.id, title: name, kind: 'work', role: '', agent: '', needs: [] } satisfies Step;
  return settingFor(
    { ...places, config },
    {
      layout: 'queue',
      id: task.id,
      task,
      cwd: () => cwd,
      goOn: `docket retry ${name}`,
      changed: () => tree.forget(), // what a command makes is not the first agent's work
      tell: (text) => told({ step: about, kind: 'event', attempt: 0, event: { type: 'warning', text } }),
      ...(workspace !== undefined && { workspace: { place: workspace, id: task.id } }),
    },
  );
}
