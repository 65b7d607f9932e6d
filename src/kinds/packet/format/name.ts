import type { LazyLayout } from '../../../layout/layout.ts';
import { quoted } from '../../../schema/problem.ts';
import { isBuiltIn } from '../../../task/id.ts';
import { objectOf } from '../../../task/json.ts';
import type { Task } from '../../../task/schema.ts';

/** People's file in its folder. */
export const manifestFile = 'manifest.yaml';

export const lazyPacketLayout: LazyLayout = {
  mirror: manifestFile,
  load: async () => (await import('./layout.ts')).packetLayout,
};

/** It is the name of a folder. */
export const packetIdPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** The packet's own name for itself. */
export function packetName(task: Pick<Task, 'id' | 'extras'>): string {
  const { task_id: name } = objectOf(task.extras['packet']?.['manifest']);
  return typeof name === 'string' && packetIdPattern.test(name) ? name : task.id;
}

/** The task's id for a packet of this name. A packet is alone in its store, so names with dots need not stay apart. */
export function idFor(name: string): string {
  return name.replaceAll('.', '-');
}

/** Why this is no name of a packet, if it is none. */
export function idProblem(id: string): string | undefined {
  const good = packetIdPattern.test(id) && !id.includes('..') && !isBuiltIn(id);
  return good ? undefined : `${quoted(id)} is no name of a packet`;
}
