import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { exists } from '../../io/links.ts';
import type { Done } from '../../kinds/board/act.ts';
import type { Sheet } from '../../kinds/board/apply.ts';
import { locked, type ChangeIntent } from '../../kinds/board/change.ts';
import { deskAt, type Desk } from '../../kinds/board/desk.ts';
import { logFile } from '../../kinds/board/format/places.ts';
import { allows } from '../../kinds/board/format/protocol.ts';
import { readBoard } from '../../kinds/board/look.ts';
import type { Outcome } from '../../render/board/outcome.ts';
import { replyTo } from '../../render/board/reply.ts';
import { visibleText } from '../../render/visible-text.ts';
import type { Project } from '../../settings/project.ts';
import type { Event, Task, Trust } from '../../task/schema.ts';
import type { BoardAnswer } from './api.ts';
import { assertInside } from './inside.ts';
import { assertSame, type Keyed } from './keys.ts';

/** An agent at the board: who it is, and how far its words are trusted. */
export interface Seat {
  desk: Desk;
  name: string;
  trust: Trust;
}

/** An agent makes no board where people have none. */
export function deskFor(where: Project): Desk {
  assertInside(where.root);
  if (exists(`${where.root}/${logFile}`)) return deskAt(where);
  throw new DocketError(
    'NOT_FOUND',
    `there is no board here (${logFile})`,
    fix`ask a person to make one: ${command`board init`}; without a board docket_list, docket_show and docket_create work`,
    { path: logFile },
  );
}

/** One change under the board's lock, if its protocol allows it. The same request again gives what came of it before. */
export async function changeBoard(
  { desk, name, trust }: Seat,
  intent: ChangeIntent,
  keyed: Keyed,
  job: (sheet: Sheet) => Done,
): Promise<Done> {
  const allowed = allows(desk.protocol, { intent, actor: name, locale: 'en' });
  if (allowed !== true)
    throw new DocketError('REFUSED', allowed.reason.en, 'ask a person: the board’s protocol is theirs', {});
  const done = await locked(desk, intent, { ...keyed, trust }, job);
  assertSame(done.events[0], keyed);
  return done;
}

/** As it is now, without a lock. */
export function taskOn({ where }: Desk, id: string): Promise<Task | undefined> {
  return readBoard(where).read({ only: id }, (tasks) => tasks.get(id));
}

/** A task that this agent holds, or why it may not speak for it. docket's own worker of that name is somebody else. */
export function heldBy(name: string, id: string, task: Task | undefined): Task {
  if (!task || task.removedAt !== undefined)
    throw new DocketError(
      'NOT_FOUND',
      `there is no task "${id}" on the board`,
      'docket_list shows what is there',
      {
        id,
      },
    );
  const isOwn = 'lease' in task && task.lease?.kind === 'process';
  if (task.owner === name && !isOwn) return task;
  const holder = task.owner === undefined ? 'nobody' : visibleText(task.owner);
  throw new DocketError(
    'REFUSED',
    `${id} is held by ${isOwn ? `docket’s own worker ${holder}` : holder}, not by ${name} (status: ${task.status})`,
    task.owner === undefined
      ? `docket_claim it first`
      : 'work on another task: docket_list shows what is free',
    { id },
  );
}

/** One question of a task at a time: a person's yes must never be taken for a yes to another. */
export function assertNotAsked(task: Task, words: string): void {
  if (task.status !== 'blocked' || task.reason.kind !== 'gate' || task.reason.text === words) return;
  throw new DocketError(
    'NEEDS_PERSON',
    `${task.id} waits for the answer to something else: ${visibleText(task.reason.text)}`,
    'wait for that answer, or ask without an id: the question becomes a task of its own',
    { id: task.id },
  );
}

const fixes: Readonly<Record<string, string>> = {
  not_found: 'docket_list shows what is there',
  held: 'work on another task, or wait until the claim ends',
  at_work: 'docket’s own worker is at it: leave it alone',
  unknown_need: 'name tasks of the board: docket_list with kind "board"',
};

/** What an agent is told. What was refused is an error that says why. */
export function answerOf({ outcome, events }: Pick<Done, 'outcome' | 'events'>): BoardAnswer {
  const reply = visibleText(replyTo(outcome, 'en'));
  if (outcome.kind !== 'moved' && outcome.kind !== 'already')
    throw new DocketError(
      outcome.kind === 'refused' && outcome.code === 'not_found' ? 'NOT_FOUND' : 'REFUSED',
      reply,
      (outcome.kind === 'refused' && fixes[outcome.code]) || 'docket_show tells how the task is now',
      dataOf(outcome),
    );
  const { taskId, status, owner } = outcome.task;
  const until = untilIn(events, taskId);
  return {
    id: taskId,
    status,
    owner,
    reply,
    already: outcome.kind === 'already',
    ...(until !== undefined && { until }),
    ...judged(outcome),
  };
}

/** Only what is done counts; what was handed in waits for another's word. */
function judged(
  outcome: Extract<Outcome, { kind: 'moved' | 'already' }>,
): Pick<BoardAnswer, 'accepted' | 'missing'> {
  switch (outcome.move) {
    case 'done':
      return { accepted: true };
    case 'gated':
      return { accepted: false, missing: visibleText(outcome.kind === 'moved' ? (outcome.text ?? '') : '') };
    case 'submitted':
      return {
        accepted: false,
        missing: 'docket runs no checks for your role here: somebody else has to approve it',
      };
    default:
      return {};
  }
}

function dataOf(outcome: Outcome): Record<string, unknown> {
  return outcome.kind === 'refused' ? { refusal: outcome.code, allowed: outcome.allowed ?? [] } : {};
}

/** Until when the claim holds that was made or renewed with it. */
function untilIn(events: readonly Event[], id: string): string | undefined {
  return events
    .flatMap((event) => {
      if (event.taskId !== id) return [];
      if (event.type === 'task.renewed') return event.data.until;
      const lease =
        event.type === 'task.claimed' || event.type === 'task.started' ? event.data.lease : undefined;
      return lease?.kind === 'term' ? lease.until : [];
    })
    .at(-1);
}
