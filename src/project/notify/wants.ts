import { crc32 } from 'node:zlib';
import { reasonLine } from '../../render/reason-line.ts';
import { tellingLine } from '../../render/telling.ts';
import { visibleText } from '../../render/visible-text.ts';
import { failedDelivery } from '../../task/delivery.ts';
import type { KindName } from '../../task/kind-names.ts';
import { isRejected } from '../../task/rejected.ts';
import type { Task } from '../../task/schema.ts';
import { nextOf } from '../tasks/next.ts';

export type Layout = KindName;

/** Something that only a person can do. */
export interface Want {
  /** The same as long as it is the same need; another one when the task came there again. */
  key: string;
  /** What it is about, however often it comes: the same again is not told for a while. Absent: every time is news. */
  about?: string;
  layout: Layout;
  /** One line. */
  text: string;
}

const longest = 200;
/** Who is asked must be able to read all of it. */
const longestQuestion = 2000;

/** What needs a person in these tasks. `since`: what failed before is no news. */
export function wantsIn(layout: Layout, tasks: readonly Task[], since: number): Want[] {
  return tasks.flatMap((task) => wantsOf(layout, task, since));
}

/** Something that only a person can do about a task, without its name. */
export interface Need {
  key: string;
  about?: string;
  kind: string;
  /** One line. */
  text: string;
  /** The gate that waits for an answer, and since when. */
  gate?: { id: string; since: string };
}

/** The one truth about what needs a person. `since`: what failed before is no news. */
export function needsOf(task: Task, since: number): Need[] {
  const open = Object.entries(task.run?.gates ?? {}).filter(([, { state }]) => state === 'blocked');
  if (open.length > 0 && task.status !== 'done' && task.status !== 'canceled')
    return open.map(([id, { times, reason, blockedAt }]) => ({
      key: `gate:${id}:${times}`,
      kind: 'gate',
      text: line(`asks: ${reason}`, longestQuestion),
      gate: { id, since: blockedAt },
    }));
  if (task.status === 'blocked' && task.reason.who !== 'docket') {
    const { kind, text } = task.reason;
    return [
      {
        key: `${kind}:${task.rev}`,
        about: `${kind}:${hash(text)}`,
        kind,
        text: line(reasonLine(kind, tellingLine(text))),
      },
    ];
  }
  const undelivered = task.archivedAt === undefined ? failedDelivery(task) : undefined;
  if (undelivered && Date.parse(task.updatedAt) >= since) {
    const about = `delivery:${hash(undelivered.reason)}`;
    const text = line(`done, delivery failed: ${tellingLine(undelivered.reason)}`);
    return [{ key: about, about, kind: 'delivery', text }];
  }
  // A person's no is their decision, and asks nothing more of them.
  if (task.status === 'failed' && !isRejected(task) && Date.parse(task.updatedAt) >= since) {
    const { error } = task.failure;
    // Journals of before say it themselves.
    const text = line(`failed: ${tellingLine(error).replace(/^failed: /, '')}`);
    return [{ key: `failed:${task.rev}`, about: `failed:${hash(error)}`, kind: 'failed', text }];
  }
  return [];
}

function wantsOf(layout: Layout, task: Task, since: number): Want[] {
  const name = nextOf(layout).label(task);
  return needsOf(task, since).map(({ key, text, about }) => ({
    key: `${layout}:${task.id}:${key}`,
    layout,
    text: line(`${layout} ${name}: ${text}`),
    ...(about !== undefined && { about: `${layout}:${task.id}:${about}` }),
  }));
}

/** Nothing in it moves a cursor, hides a letter or begins another line. */
function line(text: string, most = longest): string {
  const one = visibleText(text).replaceAll(/\s+/g, ' ').trim();
  return one.length <= most ? one : `${one.slice(0, most)}…`;
}

/** Only tells one reason of a task from its last one; node:crypto would take `docket status` longer to load. */
function hash(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
