import { removeTree } from '../../io/folders.ts';
import type { TaskDirectories } from './api.ts';
import { cancelTask } from './cancel.ts';
import { createTask } from './create.ts';
import { followEvents, readEvents } from './events.ts';
import { answerGate, listGates } from './gates.ts';
import { listTasks } from './list.ts';
import { assertTask, placeOfTask, tasksPath } from './place.ts';
import { readTask, shown, type Where } from './stores.ts';

/** What runs, packs or checks is loaded by the command that does. */
export function taskDirectories(where: Where): TaskDirectories {
  return {
    create: (input) => createTask(where, input),
    list: async () => listTasks(where),
    show: async (id) => shown(readTask(where, id).task),
    events: async (id, query) => readEvents(where, id, query),
    follow: (id, query) => followEvents(where, id, query),
    run: async (id, input) => (await import('./run.ts')).runTask(where, id, input),
    resume: async (id, control) => (await import('./run.ts')).resumeTask(where, id, control),
    retry: async (id, input) => (await import('./run.ts')).runTask(where, id, { ...input, kind: 'again' }),
    join: async (id) => (await import('./join.ts')).joinTask(where, id),
    cancel: (id, { reason }) => cancelTask(where, id, reason),
    gates: async (id) => listGates(where, id),
    answer: (id, gate, answer) => answerGate(where, id, gate, answer),
    async export(id, { file }) {
      const { exportTask } = await import('./export.ts');
      const [{ readConfig }, { maskingFor }] = await Promise.all([
        import('../config.ts'),
        import('../masking.ts'),
      ]);
      const masker = maskingFor(where, await readConfig(where.root, where.env));
      return exportTask({ dir: assertTask(where.root, id).dir, file, masker });
    },
    async import({ file, dryRun }) {
      const { importTask } = await import('./import.ts');
      const imported = await importTask({ file, tasksDir: tasksPath(where.root), dryRun });
      // What docket remembers of a folder of this name that is gone says nothing about the one that came.
      if (!dryRun) removeTree(placeOfTask(where.root, imported.id).own);
      return imported;
    },
    async validate(id) {
      const { validateTaskDir } = await import('./validate.ts');
      return validateTaskDir(assertTask(where.root, id).dir);
    },
  };
}
