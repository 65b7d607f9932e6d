import { maskWords } from '../../app/masking.ts';
import { refused } from '../../app/refused.ts';
import type { Entry } from '../../engine/recorder.ts';
import { iso } from '../../io/clock.ts';
import { executeTogether } from '../../store/execute-together.ts';
import type { Command } from '../../task/command.ts';
import {
  assertCanGoBack,
  assertNoOptions,
  refuse,
  type ActInput,
  type Changed,
  type KindVerbs,
  type Project,
} from '../act.ts';
import { claimTask } from '../claim.ts';
import type { FoundTask } from '../kind.ts';
import { cancelOne, isBackAlready } from '../put-back.ts';
import { redoing } from './again.ts';
import { claimWords, placeOfTask } from './place.ts';
import { runtimeFolder } from './runtime-folder.ts';
import { withStore } from './stores.ts';

const inTree = (name: string) => ({
  why: 'its work is in the work tree',
  fix: `look at it with git diff; what its agents said: docket logs ${name}`,
});

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
      fix: `keep it with docket task export ${name}, then remove its folder: .agentmesh/tasks/${name}`,
    }),
    restore: () => ({
      why: 'a task directory is never deleted by docket',
      fix: 'docket task list shows them',
    }),
    diff: inTree,
    merge: inTree,
    pr: inTree,
    run: (name) => ({ why: 'it is a task directory', fix: `docket task resume ${name}` }),
  },
};

/** What failed is opened again; the next run takes it up. */
async function putBack(
  project: Project,
  found: FoundTask,
  act: 'retry' | 'requeue',
  input: ActInput,
): Promise<Changed> {
  const { task, name } = found;
  assertNoOptions(found, input, ['from', 'moreSteps', 'budget'], `docket task retry --help`);
  assertCanGoBack(task, name, act);
  if (!task.run || task.status === 'done')
    throw refuse(task, name, 'nothing of it is left to do', `order more: docket task run ${name} --goal "…"`);
  const same = isBackAlready(task, input);
  if (same) return same;
  const again = redoing(task, await maskWords(project, input.note === undefined ? {} : { note: input.note }));
  const reason = input.reason ?? `docket ${act}`;
  return directoryVerbs.open(project, found, async (store) => {
    const claim = await claimTask(store, project, task, { reason, steps: 'asked' }, claimWords(name));
    try {
      if (again.length > 0) await written(again, claim.task.id, claim.token);
    } finally {
      await claim.release();
    }
    return { status: 'queued', changed: true };

    async function written(entries: readonly Entry[], id: string, token: number): Promise<void> {
      const commands = entries.map((entry) => ({ ...entry, id, by: input.by, token }) as Command);
      const done = await executeTogether(store, id, commands, iso(project.clock));
      if (!done.ok) throw refused(done.refusal, id);
    }
  });
}
