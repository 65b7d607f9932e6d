import type { Layout, LogLayout } from '../../layout/layout.ts';
import type { Command } from '../../task/command.ts';
import type { Fields } from '../../task/json.ts';
import type { Task } from '../../task/schema.ts';
import type { Ledger } from '../ledger.ts';
import type { Place } from './place.ts';
import { readWholeNote, wholeNoteFile } from './whole-note.ts';

/** A task as people's files list it. */
interface Listed {
  ref: string;
  /** Of a mirror: what its entry says. */
  fields?: Fields;
  title?: string;
  isDone?: boolean;
}

export function listedIn(layout: Layout, text: string | undefined, place: Place): Listed[] {
  if (layout.mirror === undefined) return listedOnBoard(text, place);
  return layout.split(text).entries.flatMap((entry) => {
    const parsed = layout.parse(entry);
    return 'fields' in parsed ? [{ ref: entry.ref, fields: parsed.fields }] : [];
  });
}

/** The file that lists all tasks, and what docket noted of it: either may be the only one that still knows a task. */
function listedOnBoard(text: string | undefined, place: Place): Listed[] {
  const listed = new Map<string, Listed>();
  for (const ref of readWholeNote(wholeNoteFile(place.dir)).pieces.ids) listed.set(ref, { ref });
  for (const [ref, { title, status }] of Object.entries(tasksIn(text)))
    listed.set(ref, { ref, isDone: status === 'done', ...(typeof title === 'string' && title && { title }) });
  return [...listed.values()];
}

function tasksIn(text: string | undefined): Record<string, { title?: unknown; status?: unknown }> {
  try {
    const value = JSON.parse(text ?? '{}') as { tasks?: Record<string, object> } | null;
    return value?.tasks ?? {};
  } catch {
    return {}; // docket's own note still has the ids
  }
}

/** What their files say about tasks that the log has lost, or knows less of: one list of commands for each task. */
export function takeInFile(
  layout: Layout,
  listed: readonly Listed[],
  ledger: Ledger,
  now: string,
): Command[][] {
  if (layout.mirror === undefined)
    return listed.filter(({ ref }) => ledger.get(ref) === undefined).map((one) => reserved(layout, one, now));
  const byRef = new Map(ledger.list({ removed: true }).map((task) => [layout.ref(task), task]));
  return listed.flatMap(({ ref, fields = {} }) => {
    const adopted = layout.adopt(fields, ref, (name) => byRef.get(name)?.id ?? ledger.get(name)?.id);
    if (!('commands' in adopted)) return [];
    const task = byRef.get(ref) ?? ledger.get(adopted.id);
    return [task ? ended(task, adopted.commands.slice(1)) : adopted.commands];
  });
}

/** Work that the file calls done or failed is not done again. */
function ended(task: Task, said: readonly Command[]): Command[] {
  const steps = said.map((command) => ({ ...command, id: task.id })); // an adopted entry has an id of its own
  const isEnd = steps.some(({ type }) => type === 'fail' || type === 'settle');
  if (!isEnd || task.removedAt !== undefined) return [];
  if (task.status === 'queued') return steps;
  const requeue: Command = { type: 'requeue', id: task.id, by: 'docket', reason: 'its log was repaired' };
  return task.status === 'running' || task.status === 'blocked' ? [requeue, ...steps] : [];
}

/** Its id is not given to another task. */
function reserved({ log }: LogLayout, { ref, title, isDone }: Listed, now: string): Command[] {
  const about = { id: ref, by: 'docket' };
  const unknown = {
    v: 1,
    seq: 1,
    at: now,
    taskId: ref,
    by: 'docket',
    type: 'note',
    data: { type: '', payload: {} },
  };
  const made = log.shared?.untold(unknown as Parameters<typeof log.shared.untold>[0]);
  if (made?.type !== 'task.created') return [];
  const create: Command = { type: 'create', ...about, ...made.data, ...(title !== undefined && { title }) };
  if (!isDone) return [create, { type: 'cancel', ...about, reason: 'its events were lost from the log' }];
  return [
    create,
    { type: 'start', ...about, owner: 'unknown', lease: { kind: 'term', until: now } },
    { type: 'settle', ...about, verdict: { kind: 'pass' }, summary: 'its events were lost from the log' },
  ];
}
