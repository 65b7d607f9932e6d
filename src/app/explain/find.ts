import { DocketError } from '../../errors.ts';
import { wholeId } from '../../kinds/board/format/short-id.ts';
import { withForeign } from '../../kinds/directory/adopt-foreign.ts';
import { idFor } from '../../kinds/packet/format/name.ts';
import { callName } from '../../kinds/queue/format/record.ts';
import { taskKinds, type TaskKind } from '../../render/explain/types.ts';
import { namedNeed } from '../../render/unmet.ts';
import { readStore, type StoreView } from '../../store/file/reader.ts';
import type { NamedNeed } from '../../task/needs.ts';
import type { Task } from '../../task/schema.ts';
import { taskNamedFirst } from '../ids.ts';
import type { Where } from '../one-store.ts';
import { nearestNames } from './nearest.ts';
import { boardStore, lookedIn, packetStore, queueStore, taskStore, type StorePlace } from './stores.ts';

/** A task, in whichever format it is written, and where its journal lies. */
export interface FoundTask {
  kind: TaskKind;
  task: Task;
  /** What people call it in this format's commands. */
  name: string;
  view: StoreView;
  store: StorePlace;
}

/** Reads only. A name that is typed whole goes before one that only begins so. */
export function findTask(where: Where, ref: string, of: string | undefined): FoundTask {
  const kinds = taskKinds.filter((kind) => of === undefined || kind === of);
  const broken: DocketError[] = [];
  const all = kinds.flatMap((kind): FoundTask[] => {
    try {
      return lookIn(kind, where, ref);
    } catch (error) {
      // A store that cannot be read hides nothing that lies in another.
      if (!(error instanceof DocketError)) throw error;
      broken.push(error);
      return [];
    }
  });
  const whole = all.filter(({ kind, name, task }) => kind !== 'queue' || name === ref || task.id === ref);
  const found = whole.length > 0 ? whole : all;
  const [first, ...others] = found;
  if (!first) throw broken[0] ?? notFound(where, ref, kinds);
  if (others.length === 0) return first;
  const meant = found.map(({ kind }) => kind);
  const fix = `say which: --of ${meant.join(' or --of ')}`;
  throw new DocketError('INVALID', `"${ref}" is the name of more than one thing`, fix, { ref, kinds: meant });
}

function lookIn(kind: TaskKind, { root, clock }: Where, ref: string): FoundTask[] {
  const store = storeFor[kind](root, ref);
  if (!store) return [];
  const view = readStore({ ...store, clock }, { removed: true });
  const id = idIn(kind, ref, view.tasks);
  const known = kind === 'queue' ? queued(view.tasks, ref) : view.tasks.find((one) => one.id === id);
  const task = kind === 'task' && known ? withForeign(known, store.root) : known;
  return task
    ? [{ kind, task, view, store, name: kind === 'queue' ? callName(task) : kind === 'board' ? id : ref }]
    : [];
}

function idIn(kind: TaskKind, ref: string, tasks: readonly Task[]): string {
  if (kind === 'packet') return idFor(ref);
  return kind === 'board' ? wholeId(ref, (id) => tasks.some((one) => one.id === id)) : ref;
}

const storeFor: Readonly<Record<TaskKind, (root: string, ref: string) => StorePlace | undefined>> = {
  queue: queueStore,
  task: taskStore,
  packet: packetStore,
  board: boardStore,
};

function queued(tasks: readonly Task[], ref: string): Task | undefined {
  try {
    // One that was deleted does not stand in the way of one that got its name.
    const there = tasks.filter(({ removedAt }) => removedAt === undefined);
    return taskNamedFirst(there, tasks, ref);
  } catch (error) {
    if (error instanceof DocketError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

function notFound(where: Where, ref: string, kinds: readonly TaskKind[]): DocketError {
  const near = nearestNames(where, ref, kinds);
  const hint = near.length === 0 ? '' : `did you mean ${near.map((name) => `"${name}"`).join(' or ')}? `;
  const looked = kinds.map((kind) => lookedIn[kind]);
  return new DocketError(
    'NOT_FOUND',
    `there is no task "${ref}" in ${listed(looked)}`,
    `${hint}docket list, docket task list, docket packet list and docket board status show what is there`,
    { ref, looked, ...(near.length > 0 && { nearest: near }) },
  );
}

function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}

/** What it waits for, by the names that people use. */
export function waitsOf({ kind, task, view }: FoundTask): NamedNeed[] {
  const called = (id: string) => {
    const other = kind === 'queue' ? view.tasks.find((one) => one.id === id) : undefined;
    return other && callName(other);
  };
  return (view.waits[task.id] ?? []).map((need) => namedNeed(need, called));
}
