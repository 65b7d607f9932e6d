import { tellingLine } from '../../render/telling.ts';
import type { Task } from '../../task/schema.ts';
import { age } from './age.ts';
import { nameOf } from './name.ts';
import { noteOf } from './note.ts';
import { placeOf } from './place.ts';
import { resumesAtOf, resumesText, withoutTime } from './resumes.ts';
import { statusColors } from './statuses.ts';
import type { Paint } from './style.ts';
import { titleAndNote } from './title-note.ts';
import { visible } from './visible.ts';
import { cut, displayWidth, padEnd } from './width.ts';
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
