import { DocketError } from '../errors.ts';
import { fix, type CommandLine } from '../errors/command.ts';
import { iso } from '../io/clock.ts';
import type { Project } from '../settings/project.ts';
import { execute } from '../store/execute.ts';
import type { Store, Claim } from '../store/store.ts';
import type { Command, CommandOf } from '../task/command.ts';
import type { Task } from '../task/schema.ts';
import { refused } from './refused.ts';

const owner = `docket-${process.pid}`;

/** Why it is taken up; also what was given up with it, where that is wanted. */
type Back = Pick<CommandOf<'reopen'>, 'reason' | 'steps'>;

/** What people call it, and how they see and end what works on it. */
export interface ClaimWords {
  name: string;
  watch: CommandLine;
  cancel: CommandLine;
}

/** The task is ours from here on: nobody else runs it at the same time. */
export async function claimTask(
  store: Store,
  where: Project,
  task: Task,
  back: Back,
  { name, watch, cancel }: ClaimWords,
): Promise<Claim> {
  const { id } = task;
  const command = wayBack(task, back);
  if (command) {
    const done = await execute(store, command, { now: iso(where.clock) });
    if (!done.ok) throw refused(done.refusal, id);
  }
  const [claim] = await store.claim({ owner, max: 1, only: [id] });
  if (claim) return claim;
  const held = await store.get(id);
  const who = held?.owner === undefined ? '' : ` by ${held.owner}`;
  throw new DocketError(
    'REFUSED',
    `${name} is being worked on${who}`,
    fix`wait for it (${watch}), or end it: ${cancel}`,
    { id },
  );
}

function wayBack({ id, status }: Task, back: Back): Command | undefined {
  if (status === 'done' || status === 'canceled') return { type: 'reopen', id, by: 'user', ...back };
  const { reason } = back;
  if (status === 'blocked' || status === 'failed') return { type: 'requeue', id, by: 'user', reason };
  return undefined;
}
