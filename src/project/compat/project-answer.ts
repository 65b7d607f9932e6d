import type { Heard } from '../../kinds/board/act.ts';
import { ownOf } from '../../kinds/board/format/extras.ts';
import { givenAnswer, type Giving, type Steps } from './dispatch-answer.ts';
import { refusal, type Answer } from './engine.ts';
import type { Poster } from './post.ts';
import { publish } from './publish.ts';

export function projectCreated(heard: Heard, poster: Poster): Answer {
  const created = createdIn(heard, poster);
  return { ok: true, handled: true, intent: 'create_project', created, ack: poster.send(heard.reply) };
}

/** The tasks that were made, and what became of the first of them. */
export async function projectStarted(heard: Heard, giving: Giving, steps: Steps): Promise<Answer> {
  const { outcome, route, reply } = heard;
  if (outcome.kind !== 'project_started' || route.intent.intent !== 'start_project')
    return { ok: false, error: `start_project: ${outcome.kind}` };
  const { poster } = giving;
  const created = createdIn(heard, poster);
  const bootstrap = await bootstrapOf(outcome.first, heard, giving, steps);
  return {
    ok: bootstrap.ok,
    handled: true,
    intent: 'start_project',
    projectPath: outcome.path ?? route.intent.path,
    projectName: outcome.name,
    projectDoc: outcome.document ?? '',
    createdCount: created.length,
    createdTaskIds: created.map(({ apply }) => apply.taskId),
    created,
    ...(outcome.again && { again: true }),
    bootstrap,
    ack: poster.send(reply),
  };
}

function createdIn({ events, notices }: Heard, poster: Poster) {
  return events.flatMap((event) => {
    if (event.type !== 'task.created') return [];
    const { taskId, by } = event;
    const assigneeHint = ownOf({ extras: event.data.extras ?? {} }).assigneeHint ?? by;
    const own = notices
      .filter((told) => told.taskId === taskId && told.text.startsWith('[TASK]'))
      .slice(0, 1);
    return [
      { apply: { ok: true, intent: 'create_task', taskId, assigneeHint }, publish: publish(own, poster) },
    ];
  });
}

/** What became of the first of them. */
async function bootstrapOf(
  first: Heard['outcome'] | undefined,
  heard: Heard,
  giving: Giving,
  steps: Steps,
): Promise<Answer> {
  if (first?.kind === 'refused') return refusal(first);
  if (first?.kind !== 'dispatched') return { ok: true, skipped: true, reason: 'no task dispatched' };
  // The first message about it says that it was made.
  const made = heard.notices.findIndex(({ taskId }) => taskId === first.task.taskId);
  const notices = heard.notices.filter(
    (_, index) => index !== made || heard.events[0]?.type !== 'task.created',
  );
  return givenAnswer(first, { notices, events: heard.events }, giving, steps);
}
