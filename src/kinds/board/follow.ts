import { mention } from '../../render/board/notice.ts';
import type { TaskView } from '../../render/board/outcome.ts';
import type { Event } from '../../task/schema.ts';
import { visibilityOf } from './act.ts';
import { lookAt, type Desk } from './desk.ts';
import type { Locale } from './format/intent.ts';
import { readBoard, type BoardLook } from './look.ts';
import { toldOf, type Told, type ToldOptions } from './told.ts';

export interface FollowInput extends Partial<Omit<ToldOptions, 'broadcasters' | 'locale'>> {
  /** Asked for each transaction. Default: Chinese, as the format has it. */
  locale?: () => Locale;
  /** The last line that was told. */
  after: number;
  signal: AbortSignal;
}

/** One transaction of the log: its last line, and what the group is told about it. */
export interface News {
  seq: number;
  told: readonly Told[];
}

/**
 * Everything after a line, then what comes, whoever writes it. Takes no lock and writes nothing. The log is read from its
 * beginning, once: who had a task when something happened is told as it was then.
 */
export async function* follow(desk: Desk, input: FollowInput): AsyncIterable<News> {
  const { after, signal, locale = () => 'zh', visibility, mentionOf = mention } = input;
  const options = (): ToldOptions => ({
    locale: locale(),
    mentionOf,
    visibility: visibilityOf(desk, visibility),
    broadcasters: desk.protocol.broadcasters,
  });
  const owners = new Map<string, string>();
  let facts: Event[] = [];
  let look: BoardLook | undefined;
  for await (const event of readBoard(desk.where).tail({ after: 0, signal })) {
    noteOwner(owners, event);
    if (event.seq <= after) continue;
    facts.push(event);
    if ((event.more ?? 0) > 0) continue;
    if (!look || look.seq < event.seq) look = await lookAt(desk);
    const { get } = look;
    const taskOf = (id: string): TaskView | undefined => {
      const task = get(id);
      return task && { ...task, owner: owners.get(id) ?? null };
    };
    yield { seq: event.seq, told: toldOf(facts, taskOf, options()) };
    facts = [];
  }
}

function noteOwner(owners: Map<string, string>, { taskId, type, data }: Event): void {
  switch (type) {
    case 'task.claimed':
    case 'task.started':
      owners.set(taskId, data.owner);
      return;
    case 'task.released':
    case 'task.requeued':
    case 'task.reopened':
      owners.delete(taskId);
      return;
    case 'task.carried': {
      const { owner } = data.task;
      if (typeof owner === 'string') owners.set(taskId, owner);
      return;
    }
    default:
  }
}
