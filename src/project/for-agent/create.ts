import { iso } from '../../io/clock.ts';
import { applyTo } from '../../kinds/board/apply.ts';
import { visibleText } from '../../render/visible-text.ts';
import type { Project } from '../../settings/project.ts';
import { factUnder } from '../../store/execute.ts';
import { newId } from '../../store/new-id.ts';
import type { Store } from '../../store/store.ts';
import type { Task } from '../../task/schema.ts';
import { addKey, addTask } from '../tasks/add.ts';
import type { AgentWork, MadeTask } from './api.ts';
import { answerOf, changeBoard, taskOn, type Seat } from './board.ts';
import { assertInside } from './inside.ts';
import { assertSame, keyedFor } from './keys.ts';

interface Queue {
  where: Project;
  open: () => Promise<Store>;
  name: string;
}

/** A task of the queue in an agent's words. It runs when a person says so, and as what they are: words of an agent. */
export async function queuedFor({ where, open, name }: Queue, input: AgentWork): Promise<MadeTask> {
  assertInside(where.root); // before anything is written
  const { text, needs, worktree = true, key } = input;
  const made = { id: newId(where.clock), now: iso(where.clock) };
  const keyed = keyedFor(name, key, 'create', text, needs ?? [], worktree);
  const store = await open();
  const task = await addTask(
    store,
    {
      text,
      asker: name,
      ...(needs && { needs }),
      ...(worktree && { worktree: true }),
      ...keyed,
    },
    made,
    where,
  );
  const existing = task.id !== made.id;
  if (existing && keyed.key !== undefined) assertSame(await factUnder(store, addKey(keyed.key)), keyed);
  const waits = `It waits until a person runs docket; docket_show ${task.id} tells how it goes.`;
  return madeOf('queue', task, existing, waits);
}

/** The board has titles only. */
export async function boardedFor(seat: Seat, { text, needs, key }: AgentWork): Promise<MadeTask> {
  const title = text.replaceAll(/\s+/g, ' ').trim();
  const intent = { intent: 'create_task', title, ...(needs && { needs }) } as const;
  const seen = { existing: true };
  const keyed = keyedFor(seat.name, key, 'create', title, needs ?? []);
  const done = await changeBoard(seat, intent, keyed, (sheet) => {
    seen.existing = false;
    return applyTo(sheet, intent, { actor: seat.name, locale: 'en' });
  });
  const { id } = answerOf(done);
  const task = await taskOn(seat.desk, id);
  if (!task) throw new Error(`${id} is gone right after it was written`);
  const free = `Whoever claims it does it: docket_claim ${id}, if that is you.`;
  return madeOf('board', task, seen.existing, free);
}

function madeOf(
  kind: MadeTask['kind'],
  { id, title, status, trust }: Task,
  existing: boolean,
  then: string,
): MadeTask {
  const note = `${existing ? 'It was there already: this key made it before. ' : ''}${then}`;
  return { kind, id, title: visibleText(title), status, trust: trust?.level ?? 'high', existing, note };
}
