import type { Waits } from '../store/waits.ts';
import type { UnmetNeed } from '../task/needs.ts';
import { rank } from '../task/pick.ts';
import type { Task } from '../task/schema.ts';
import { agentNamed, agentNameFor } from './agents.ts';
import { readConfig } from './config.ts';

export interface PlannedTask {
  task: Task;
  agent: string;
  adapter: string;
  permission: string;
  /** What must be done first. */
  waitsFor?: UnmetNeed[];
}

/** What a run would do, for people who want to look before they pay. */
export async function planRun(
  tasks: readonly Task[],
  waits: Waits,
  input: { tasks?: readonly string[]; agent?: string },
  where: { root: string; env: Readonly<Record<string, string | undefined>> },
): Promise<PlannedTask[]> {
  const config = await readConfig(where.root, where.env);
  const queued = tasks
    .filter((task) => task.status === 'queued' && (input.tasks?.includes(task.id) ?? true))
    .toSorted((a, b) => rank(a) - rank(b));
  return Promise.all(
    queued.map(async (task) => {
      const agent = await agentNamed(input.agent ?? agentNameFor(task.spec.routing, config), config, where);
      const waitsFor = waits[task.id];
      return {
        task,
        agent: agent.name,
        adapter: agent.adapter.name,
        permission: agent.permission,
        ...(waitsFor && { waitsFor }),
      };
    }),
  );
}
