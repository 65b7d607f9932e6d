import { DocketError } from '../../errors.ts';
import { iso } from '../../io/clock.ts';
import { visibleText } from '../../render/visible-text.ts';
import type { Backend } from '../../store/backend.ts';
import { newId } from '../../store/new-id.ts';
import type { Task } from '../../task/schema.ts';
import { addTask } from '../add.ts';
import { applyTo } from '../board/apply.ts';
import type { Where } from '../one-store.ts';
import type { AgentWork, MadeTask } from './api.ts';
import { answerOf, changeBoard, keyFor, taskOn, type Seat } from './board.ts';
import { assertInside } from './inside.ts';

interface Queue {
  where: Where;
  open: () => Promise<Backend>;
  name: string;
}

/** A task of the queue in an agent's words. It runs when a person says so, and as what they are: words of an agent. */
export async function queuedFor({ where, open, name }: Queue, input: AgentWork): Promise<MadeTask> {
  assertInside(where.root); // before anything is written
  const { text, needs, worktree = true, key } = input;
  const made = { id: newId(where.clock), now: iso(where.clock) };
  const task = await addTask(
    await open(),
    {
      text,
      asker: name,
      ...(needs && { needs }),
      ...(worktree && { worktree: true }),
      ...(key !== undefined && { key: keyFor(name, key) }),
    },
    made,
    where,
  );
  const existing = task.id !== made.id;
  if (existing) assertSame(task.title, firstLine(text), task.id, key);
  return madeOf('queue', task, existing);
}

/** The board has titles only. */
export async function boardedFor(seat: Seat, { text, needs, key }: AgentWork): Promise<MadeTask> {
  const title = text.replaceAll(/\s+/g, ' ').trim();
  const intent = { intent: 'create_task', title, ...(needs && { needs }) } as const;
  const seen = { existing: true };
  const done = await changeBoard(seat, intent, key, (sheet) => {
    seen.existing = false;
    return applyTo(sheet, intent, { actor: seat.name, locale: 'en' });
  });
  const { id } = answerOf(done);
  const task = await taskOn(seat.desk, id);
  if (!task) throw new Error(`${id} is gone right after it was written`);
  if (seen.existing) assertSame(task.title, title, id, key);
  return madeOf('board', task, seen.existing);
}

/** The first line; secrets in it are masked in what was kept, so a part of it is enough. */
function firstLine(text: string): string {
  return text.trim().split(/\r?\n/, 1)[0] ?? '';
}

/** A key that was used for other words before: to hand out that task in silence would lose these. */
function assertSame(before: string, now: string, id: string, key = ''): void {
  const same = (text: string): string =>
    text
      .replace(/^#+\s+/, '')
      .trim()
      .slice(0, 40);
  if (same(before) === same(now)) return;
  throw new DocketError(
    'CONFLICT',
    `the key ${JSON.stringify(key)} made another task before: ${id} (${JSON.stringify(visibleText(before.slice(0, 80)))})`,
    'choose another key, if this is to be a task of its own',
    { id, key },
  );
}

function madeOf(kind: MadeTask['kind'], { id, title, status, trust }: Task, existing: boolean): MadeTask {
  return { kind, id, title: visibleText(title), status, trust: trust?.level ?? 'high', existing };
}
