import { deliveryLine } from '../../../render/delivery.ts';
import { tellingLine } from '../../../render/telling.ts';
import { namedNeed, needsText, unprovedText } from '../../../render/unmet.ts';
import type { Task } from '../../../task/schema.ts';
import { titleAndNote } from './aligned.ts';
import { age } from './format.ts';
import { nameOf } from './name.ts';
import { resumesAtOf, resumesText, withoutTime } from './resumes.ts';
import { statusColors } from './statuses.ts';
import type { Paint } from './style.ts';
import { cut, displayWidth, padEnd, visible } from './visible.ts';
import type { Found } from './world.ts';

interface RowOptions {
  now: number;
  /** Infinity when nobody looks: a pipe or a file gets whole titles. */
  columns: number;
  /** A person gets a heading; a pipe gets one row per task. */
  heading: boolean;
  paint: Paint;
  /** What queued tasks wait for, by id. */
  waits: Found['waits'];
}

const maxName = 32;
const statusWidth = Math.max(...Object.keys(statusColors).map((status) => status.length));
const ageWidth = 4;

/** One row per task: name, status, age, title, who has it or why it stands still, and where it is. */
export function taskRows(tasks: readonly Task[], options: RowOptions): string {
  const { columns, now, paint } = options;
  const most = columns === Infinity ? Infinity : Math.max(8, Math.min(maxName, Math.floor(columns / 3)));
  const called = new Map(tasks.map((task) => [task.id, nameOf(task)]));
  let nameWidth = 4;
  const names = tasks.map((task) => {
    const name = cut(visible(nameOf(task)), most);
    nameWidth = Math.max(nameWidth, displayWidth(name));
    return name;
  });
  const rest = Math.max(1, columns - nameWidth - statusWidth - ageWidth - 6);
  const lines = tasks.map((task, index) => {
    const name = padEnd(names[index] ?? '', nameWidth);
    const status = paint(statusColors[task.status], task.status.padEnd(statusWidth));
    const old = age(task.createdAt, now).padStart(ageWidth);
    const why = tellingLine(noteOf(task, options.waits, called)); // `docket show` has all of it
    const when = resumesText(task, now);
    const said = when === '' ? why : withoutTime(why, resumesAtOf(task));
    const note = [when, said, placeOf(task)].filter(Boolean).join('; ');
    return `${name}  ${status}  ${old}  ${titleAndNote(task.title, note, rest, paint)}`;
  });
  if (options.heading) {
    const head = `${'NAME'.padEnd(nameWidth)}  ${'STATUS'.padEnd(statusWidth)}  ${'AGE'.padStart(ageWidth)}  TITLE`;
    lines.unshift(paint('dim', cut(head, columns)));
  }
  return lines.join('\n');
}

/** `default/implement on takt/fix-login`: workflow, the step it is at, and where its work is, as far as there is any. */
function placeOf({ spec, run, status, extras }: Task): string {
  const isOver = status === 'done' || status === 'canceled';
  const step = isOver ? undefined : run?.steps.findLast(({ id }) => run.states[id] !== undefined)?.title;
  const where = [spec.workflow, step].filter((part) => part !== undefined).join('/');
  const { branch = extras['queue']?.['branch'], merged } = extras['queueRun'] ?? {};
  const into = typeof merged === 'object' && merged !== null && 'into' in merged ? merged['into'] : undefined;
  if (typeof into === 'string') return [where, `merged into ${into}`].filter(Boolean).join(' ');
  return [where, typeof branch === 'string' && branch !== '' && `on ${branch}`].filter(Boolean).join(' ');
}

/** Who has it, or why it stands still. */
export function noteOf(task: Task, waits: Found['waits'], called: ReadonlyMap<string, string>): string {
  switch (task.status) {
    case 'queued': {
      const unmet = (waits[task.id] ?? []).map((need) => namedNeed(need, (id) => called.get(id)));
      return unmet.length > 0 ? `waits for ${needsText(unmet)}` : (task.owner ?? '');
    }
    case 'blocked':
      return task.reason.who === 'docket'
        ? task.reason.text
        : `${task.reason.who} must act: ${task.reason.text}`;
    case 'failed':
      return task.failure.error;
    case 'canceled':
      return task.canceledBecause;
    case 'done':
      // Who had it then is in docket show.
      return [deliveryLine(task), task.unproved ? unprovedText : ''].filter(Boolean).join('; ');
    default:
      return task.owner ?? '';
  }
}
