import type { Project } from '../../settings/project.ts';
import type { OrderedWork } from '../due.ts';
import { makePackets } from './packets.ts';

/** Packets of people. What does a part of another task's work is run by that one. */
export async function orderedPackets(project: Project): Promise<OrderedWork[]> {
  const all = makePackets(project);
  const { packets } = await all.list();
  const ordered: OrderedWork[] = [];
  for (const { id, task } of packets.filter((packet) => packet.task.standsFor === undefined)) {
    const work: OrderedWork['work'] = async (signal, onProgress) => {
      try {
        return (await all.run(id, { signal, patient: true, onProgress })).task;
      } catch (error) {
        const held = await (await import('./check.ts')).holdUnsound(project, id, error);
        if (held) return held;
        throw error;
      }
    };
    // What it was held for before it began is there now.
    const isSound =
      task.status === 'blocked' &&
      task.reason.kind === 'setup' &&
      (await (await import('./check.ts')).isSoundAgain(project, id, task));
    const tasks = isSound ? { tasks: [task], also: `${task.id} ${task.rev} mended` } : { tasks: [task] };
    ordered.push({ layout: 'packet', id, title: task.title, ...tasks, work });
  }
  return ordered;
}
