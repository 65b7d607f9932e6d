import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { removeTree } from '../../io/folders.ts';
import { unprovedText } from '../../render/unmet.ts';
import type { Project } from '../../settings/project.ts';
import type { Finding } from '../../store/store.ts';
import { giveUp } from '../give-up.ts';
import type { TaskDirectories, TaskDirectory } from './api.ts';
import { createTask } from './create.ts';
import { followEvents, readEvents } from './events.ts';
import { listTasks } from './list.ts';
import { assertTask, placeOfTask, tasksPath } from './place.ts';
import { runtimeFolder } from './runtime-folder.ts';
import { readTask, shown, withStore } from './stores.ts';

/** What runs, packs or checks is loaded by the command that does. */
export function taskDirectories(where: Project): TaskDirectories {
  return {
    create: (input) => createTask(where, input),
    list: () => listTasks(where),
    show: async (id) => {
      const { task, findings } = await readTask(where, id);
      for (const { path, line, message, fix } of findings.filter(({ severity }) => severity === 'warning'))
        where.warn(`${path}:${line ?? 1}: ${message}; ${fix}`);
      return shown(task);
    },
    events: async (id, query) => readEvents(where, id, query),
    follow: (id, query) => followEvents(where, id, query),
    run: async (id, input) => (await import('./run.ts')).runDirectory(where, id, input),
    resume: async (id, control) => (await import('./run.ts')).resumeTask(where, id, control),
    retry: async (id, input) =>
      (await import('./run.ts')).runDirectory(where, id, { ...input, kind: 'again' }),
    join: async (id) => (await import('./join.ts')).joinTask(where, id),
    cancel: (id, { reason }) => cancelTask(where, id, reason),
    async export(id, { file }) {
      const { exportTask } = await import('./export.ts');
      const [{ readConfig }, { maskingFor }] = await Promise.all([
        import('../../settings/read-config.ts'),
        import('../../settings/masking.ts'),
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
      const { dir } = assertTask(where.root, id);
      return [...(await validateTaskDir(dir)), ...(await byHand(where, id, dir))];
    },
  };
}

/** A state that somebody wrote into the file: the other commands say the same of it. */
async function byHand(where: Project, id: string, dir: string): Promise<Finding[]> {
  try {
    const { task } = await readTask(where, id);
    if (task.status !== 'done' || !task.unproved) return [];
    const fix = `check the work yourself, or continue it: docket task retry ${id}`;
    return [{ severity: 'note', path: path.join(dir, 'task.yaml'), message: unprovedText, fix }];
  } catch (error) {
    if (error instanceof DocketError) return []; // what cannot be read is found by the checks above
    throw error;
  }
}

async function cancelTask(where: Project, id: string, reason?: string): Promise<TaskDirectory> {
  const place = assertTask(where.root, id);
  await readTask(where, id);
  return withStore(where, place, async (store) =>
    shown(await giveUp(store, where, { id, reason }, (step, n) => runtimeFolder(place.dir, step, n))),
  );
}
