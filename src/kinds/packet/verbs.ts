import path from 'node:path';
import { command, fix } from '../../errors/command.ts';
import { iso } from '../../io/clock.ts';
import { execute } from '../../store/execute.ts';
import { assertCanGoBack, assertNoOptions, refuse, workIsInTree, type KindVerbs } from '../act.ts';
import { withOne } from '../one-store.ts';
import { cancelOne, isBackAlready } from '../put-back.ts';
import { refused } from '../refused.ts';
import { packetLayout } from './format/layout.ts';
import { assertPacket } from './place.ts';

export const packetVerbs: KindVerbs = {
  open: (project, { name }, use) => withOne(project, assertPacket(project.root, name), packetLayout, use),
  async act(project, found, act, input) {
    const { task, name } = found;
    const { raw } = assertPacket(project.root, name);
    if (act === 'cancel')
      return cancelOne(
        project,
        found,
        input,
        (use) => packetVerbs.open(project, found, use),
        (step, n) => path.join(raw, 'attempts', step, String(n)),
      );
    const todo = fix`what its agents are told stands in its folder: ${command`packet status ${name}`}`;
    assertNoOptions(found, input, ['from', 'note', 'moreSteps', 'budget'], todo);
    assertCanGoBack(task, name, act);
    if (task.status === 'done')
      throw refuse(
        task,
        name,
        'all its stages are done',
        fix`do them once more: ${command`packet run ${name} --force`}`,
      );
    const same = isBackAlready(task, input);
    if (same) return same;
    const about = { id: task.id, by: input.by, reason: input.reason ?? `docket ${act}` };
    const type = task.status === 'canceled' ? 'reopen' : 'requeue';
    const done = await packetVerbs.open(project, found, (store) =>
      execute(store, { type, ...about }, { now: iso(project.clock) }),
    );
    if (!done.ok) throw refused(done.refusal, name);
    return { status: done.task.status, changed: true };
  },
  cannot: {
    trust: () => ({
      why: "a packet is a person's own order",
      fix: 'there is nothing to vouch for; its manifest says what its agents may do',
    }),
    delete: (name) => ({
      why: 'a deleted packet cannot be restored',
      fix: fix`keep it: ${command`packet archive ${name}`}; or delete it for good: ${command`packet delete ${name}`}`,
    }),
    restore: () => ({
      why: 'a deleted packet is gone',
      fix: fix`${command`packet list --archived`} shows those that were archived`,
    }),
    ...workIsInTree,
    run: (name) => ({ why: 'it is a packet', fix: fix`${command`packet run ${name}`}` }),
  },
};
