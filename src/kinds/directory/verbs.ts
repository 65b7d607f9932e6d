import { Recorder } from '../../engine/recorder.ts';
import { command, fix } from '../../errors/command.ts';
import { maskWords } from '../../settings/masking.ts';
import {
  assertCanGoBack,
  assertNoOptions,
  refuse,
  workIsInTree,
  type ActInput,
  type Changed,
  type KindVerbs,
  type OpenProject,
} from '../act.ts';
import { claimTask } from '../claim.ts';
import type { FoundTask } from '../kind.ts';
import { cancelOne, isBackAlready } from '../put-back.ts';
import { redoing } from './again.ts';
import { claimWords, placeOfTask } from './place.ts';
import { runtimeFolder } from './runtime-folder.ts';
import { withStore } from './stores.ts';

export const directoryVerbs: KindVerbs = {
  open: (project, { name }, use) => withStore(project, placeOfTask(project.root, name), use),
  async act(project, found, act, input) {
    const { dir } = placeOfTask(project.root, found.name);
    if (act !== 'cancel') return putBack(project, found, act, input);
    return cancelOne(
      project,
      found,
      input,
      (use) => directoryVerbs.open(project, found, use),
      (step, n) => runtimeFolder(dir, step, n),
    );
  },
  cannot: {
    delete: (name) => ({
      why: 'docket never deletes a task directory',
      fix: fix`keep it with ${command`task export ${name}`}, then remove its folder: .agentmesh/tasks/${name}`,
    }),
    restore: () => ({
      why: 'a task directory is never deleted by docket',
      fix: fix`${command`task list`} shows them`,
    }),
    ...workIsInTree,
    run: (name) => ({ why: 'it is a task directory', fix: fix`${command`task resume ${name}`}` }),
  },
};

/** What failed is opened again; the next run takes it up. */
async function putBack(
  project: OpenProject,
  found: FoundTask,
  act: 'retry' | 'requeue',
  input: ActInput,
): Promise<Changed> {
  const { task, name } = found;
  assertNoOptions(
    found,
    input,
    ['from', 'moreSteps', 'budget'],
    fix`${command`task retry --help`} says what it takes`,
  );
  assertCanGoBack(task, name, act);
  if (!task.run || task.status === 'done')
    throw refuse(
      task,
      name,
      'nothing of it is left to do',
      fix`order more: ${command`task run ${name} --goal "…"`}`,
    );
  const same = isBackAlready(task, input);
  if (same) return same;
  const again = redoing(task, await maskWords(project, input.note === undefined ? {} : { note: input.note }));
  const reason = input.reason ?? `docket ${act}`;
  return directoryVerbs.open(project, found, async (store) => {
    // Only a run may open steps again: the task is claimed for it, and given back with the same transaction.
    const claim = await claimTask(store, project, task, { reason, steps: 'asked' }, claimWords(name));
    try {
      const recorder = new Recorder(store, claim.task, input.by, () => project.clock.now());
      await recorder.write(...again, { type: 'requeue', reason });
      return { status: recorder.task.status, changed: true };
    } finally {
      await claim.release();
    }
  });
}
