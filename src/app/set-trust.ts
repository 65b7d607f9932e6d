import { DocketError } from '../errors.ts';
import { iso } from '../io/clock.ts';
import { ownOf } from '../kinds/queue/format/record.ts';
import { execute } from '../store/execute.ts';
import type { Store } from '../store/store.ts';
import type { StoreView } from '../store/view.ts';
import type { Task, Trust } from '../task/schema.ts';
import { taskNamed } from './ids.ts';
import { assertPerson } from './marked.ts';
import type { Where } from './one-store.ts';
import { refused } from './refused.ts';

export interface TrustInput {
  level: Trust['level'];
  by: string;
}

interface Queue {
  read: () => Promise<StoreView>;
  open: () => Promise<Store>;
}

/**
 * A person vouches for a task, or takes that back. It is looked for in the queue, then on the board, then among the task
 * directories. Nobody but a person raises it: an agent has no way to say this, and neither has a chat.
 */
export async function setTrust(where: Where, queue: Queue, ref: string, input: TrustInput): Promise<Task> {
  if (input.level === 'high') assertPerson(where.env, 'vouch for a task', { ref });
  const { tasks } = await queue.read();
  if (tasks.some((task) => task.id === ref || ownOf(task).name === ref))
    return written(await queue.open(), taskNamed(tasks, ref).id, where, input);
  const found = (await onBoard(where, ref, input)) ?? (await inDirectory(where, ref, input));
  return found ?? written(await queue.open(), taskNamed(tasks, ref).id, where, input); // says that there is none
}

async function written(store: Store, id: string, where: Where, { level, by }: TrustInput): Promise<Task> {
  const task = await store.get(id);
  const { source = 'person', author } = task?.trust ?? {};
  const trust: Trust = { level, source, by, ...(author !== undefined && { author }) };
  const done = await execute(store, { type: 'edit', id, by, set: { trust } }, { now: iso(where.clock) });
  if (!done.ok) throw refused(done.refusal, id);
  return done.task;
}

async function onBoard(where: Where, ref: string, input: TrustInput): Promise<Task | undefined> {
  const [{ deskAt, lookAt, withBoard }, { exists }] = await Promise.all([
    import('../kinds/board/desk.ts'),
    import('../io/links.ts'),
  ]);
  if (!exists(`${where.root}/state/tasks.jsonl`)) return undefined;
  const desk = deskAt(where);
  if (!(await lookAt(desk)).get(ref)) return undefined;
  return withBoard(desk, (store) => written(store, ref, where, input));
}

async function inDirectory(where: Where, ref: string, input: TrustInput): Promise<Task | undefined> {
  const [{ assertTask }, { withStore }] = await Promise.all([
    import('../kinds/directory/place.ts'),
    import('../kinds/directory/stores.ts'),
  ]);
  try {
    const place = assertTask(where.root, ref);
    return await withStore(where, place, (store) => written(store, ref, where, input));
  } catch (error) {
    if (error instanceof DocketError && (error.code === 'NOT_FOUND' || error.code === 'INVALID'))
      return undefined;
    throw error;
  }
}
