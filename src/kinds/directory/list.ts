import { DocketError } from '../../errors.ts';
import type { Project } from '../../settings/project.ts';
import type { Finding } from '../../store/store.ts';
import type { TaskDirectory } from './api.ts';
import { taskIds, tasksFolder } from './place.ts';
import { readTask, shown } from './stores.ts';

/** What cannot be read is a finding, and hides no other. */
export async function listTasks(where: Project): Promise<{ tasks: TaskDirectory[]; findings: Finding[] }> {
  const tasks: TaskDirectory[] = [];
  const findings: Finding[] = [];
  for (const id of taskIds(where.root)) {
    try {
      const found = await readTask(where, id);
      tasks.push(shown(found.task));
      findings.push(...found.findings);
    } catch (error) {
      if (!(error instanceof DocketError)) throw error;
      const path = `${tasksFolder}/${id}`;
      findings.push({ severity: 'error', path, message: error.message, fix: error.fix });
    }
  }
  return { tasks: tasks.toSorted(newestFirst), findings };
}

function newestFirst(a: TaskDirectory, b: TaskDirectory): number {
  return changedAt(b) - changedAt(a) || (a.id < b.id ? -1 : 1);
}

/** What the file says: a task that nobody has taken in yet is as old as that. */
function changedAt({ file, task }: TaskDirectory): number {
  const { updatedAt } = file;
  return Date.parse(typeof updatedAt === 'string' ? updatedAt : task.updatedAt);
}
