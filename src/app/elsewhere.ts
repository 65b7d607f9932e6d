import { DocketError } from '../errors.ts';
import type { FoundTask } from '../kinds/kind.ts';
import type { KindName } from '../kinds/names.ts';
import { findTask } from './find.ts';
import type { Where } from './one-store.ts';

/** What is done to a task of the queue by its name. */
type Deed = 'cancel' | 'retry' | 'requeue' | 'delete' | 'diff' | 'merge' | 'pr' | 'trust';
type Other = Exclude<KindName, 'queue'>;

/** A name that the queue does not know may be one of another format: then that is said, with the command that does it there. */
export async function elsewhere(where: Where, deed: Deed, error: unknown): Promise<unknown> {
  if (!(error instanceof DocketError) || error.code !== 'NOT_FOUND') return error;
  const { ref } = error.data as { ref?: unknown };
  if (typeof ref !== 'string') return error;
  const { kind, name } = (await foundIn(where, ref)) ?? {};
  if (kind === undefined || name === undefined || kind === 'queue') return error;
  const message = `${ref} is ${called[kind]}, not a task of the queue`;
  return new DocketError('REFUSED', message, instead[kind](name)[deed], { ref, kind });
}

async function foundIn(where: Where, ref: string): Promise<FoundTask | undefined> {
  try {
    return await findTask(where, ref, undefined);
  } catch (error) {
    if (error instanceof DocketError) return undefined; // neither there: the queue's own error says so
    throw error;
  }
}

const called: Readonly<Record<Other, string>> = {
  task: 'a task directory',
  packet: 'a packet',
  board: 'a task of the board',
};

const inTree = 'its work is in the work tree: git diff, git commit';

const instead: Readonly<Record<Other, (ref: string) => Readonly<Record<Deed, string>>>> = {
  task: (ref) => ({
    cancel: `docket task cancel ${ref}`,
    retry: `docket task retry ${ref}`,
    requeue: `docket task retry ${ref}, or more work: docket task run ${ref} --goal "…"`,
    delete: `keep it with docket task export ${ref}, then take its folder away: .agentmesh/tasks/${ref}`,
    diff: inTree,
    merge: inTree,
    pr: inTree,
    trust: `docket trust ${ref} takes it by its whole id`,
  }),
  packet: (ref) => ({
    cancel: `docket packet cancel ${ref}`,
    retry: `docket packet run ${ref}`,
    requeue: `docket packet run ${ref} --force`,
    delete: `docket packet delete ${ref}`,
    diff: inTree,
    merge: inTree,
    pr: inTree,
    trust: "a packet is a person's own order: there is nothing to vouch for",
  }),
  board: (ref) => ({
    cancel: `docket say "cancel ${ref}"`,
    retry: `docket say "reopen ${ref}"`,
    requeue: `docket say "reopen ${ref}"`,
    delete: `docket say "cancel ${ref}": the board keeps what was on it`,
    diff: inTree,
    merge: inTree,
    pr: inTree,
    trust: `docket trust ${ref} takes it by its whole id`,
  }),
};
