import type { Heard } from '../../kinds/board/act.ts';
import { ownOf } from '../../kinds/board/format/extras.ts';
import { foreman } from '../../kinds/board/moves.ts';
import { speakerFor } from '../../kinds/board/told.ts';
import type { Outcome } from '../../render/board/outcome.ts';
import { wordsOf } from '../../render/board/words.ts';
import { type Answer, engineAnswer, handled, type Poster, publish, refusal } from './answer.ts';
import {
  autopilotAnswer,
  dispatchAnswer,
  givenAnswer,
  stepAnswers,
  type Giving,
  type Steps,
} from './dispatch-answer.ts';

/** The one answer of the original's router, by what was asked for. `steps`: the workers that ran for it. */
export async function envelope(
  heard: Heard,
  steps: Steps,
  giving: Giving,
  broadcasters: readonly string[] = [foreman],
): Promise<Answer> {
  const { route, outcome, reply } = heard;
  const { poster } = giving;
  const send = () => poster.send(reply);
  const published = () => publish(heard.notices, poster, speakerFor(route.actor), broadcasters);
  switch (route.intent.intent) {
    case 'help':
      return handled('help', { send: send() });
    case 'ignored_loop':
      return handled('ignored_loop');
    case 'unknown':
      return { ...engineAnswer(heard), handled: false };
    case 'status': {
      if (outcome.kind !== 'status') return handled('status', { send: send() });
      const { full = false, summary } = outcome;
      return handled('status', { full, counts: summary.counts, send: send() });
    }
    case 'synthesize':
      return handled('synthesize', { apply: engineAnswer(heard), send: send() });
    case 'auto_progress': {
      if (outcome.kind !== 'auto_progress') return no(heard);
      const { enabled, maxSteps } = outcome;
      const ran = steps.length === 0 ? {} : { steps: await stepAnswers(heard, steps, giving) };
      return handled('auto_progress', { state: { enabled, maxSteps }, send: send(), ...ran });
    }
    case 'create_project':
      if (outcome.kind !== 'project_created') return no(heard);
      return handled('create_project', { created: createdIn(heard, poster), ack: send() });
    case 'start_project':
      if (outcome.kind === 'bad_path') return handled('start_project', { send: send() });
      if (outcome.kind !== 'project_started') return no(heard);
      return projectStarted(outcome, route.intent.path, heard, giving, steps);
    case 'run':
      if (outcome.kind === 'nothing_to_run') return handled('run', { send: send() });
      if (outcome.kind === 'refused' && outcome.code === 'not_found')
        return handled('run', { send: poster.send(`[TASK] ${wordsOf('zh').nothingToRun}`) });
      if (outcome.kind === 'already')
        return handled('run', { taskId: outcome.task.taskId, idempotent: true, send: send() });
      return dispatchAnswer(heard, giving, steps);
    case 'dispatch':
      return dispatchAnswer(heard, giving, steps);
    case 'autopilot':
      return autopilotAnswer(heard, steps, giving);
    case 'clarify':
      return clarified(heard, giving);
    case 'report':
      return reported(heard, giving, published);
    default: {
      // A done that the gate turned into blocked is an answer of the router: what it did is in `apply`, why in `acceptance`.
      const apply = applied(heard);
      const { acceptance = null } = heard;
      return handled('board_cmd', { acceptance, apply, publish: published() }, apply.ok);
    }
  }
}

function no({ outcome, route }: Heard): Answer {
  const { intent } = route.intent;
  const why =
    outcome.kind === 'refused' ? refusal(outcome) : { ok: false, error: `${intent}: ${outcome.kind}` };
  return { ...why, handled: true, intent };
}

function applied(heard: Heard): Answer {
  const { outcome } = heard;
  if (outcome.kind !== 'moved' || outcome.move !== 'gated') return engineAnswer(heard);
  const { taskId, status } = outcome.task;
  return { ok: true, intent: 'block_task', taskId, status };
}

function reported(heard: Heard, { poster }: Giving, published: () => Answer): Answer {
  const { outcome, acceptance, reply, route } = heard;
  if (outcome.kind === 'report_without_id') return handled('wakeup', { send: poster.send(reply) });
  if (outcome.kind === 'moved' && outcome.move === 'progress')
    return handled('wakeup', { kind: 'progress', taskId: outcome.task.taskId, publish: published() });
  const { intent } = route;
  const isDone = acceptance || (outcome.kind === 'refused' ? outcome.intent : intent.intent) === 'mark_done';
  const taskId = 'taskId' in intent ? (intent.taskId ?? '') : '';
  const meant = { intent: isDone ? 'mark_done' : 'block_task', taskId } as const;
  const apply = applied({ ...heard, route: { ...route, intent: meant } });
  const verified = acceptance ? { verify: 'acceptance-policy', acceptance } : {};
  const kind = isDone ? 'done' : 'blocked';
  return handled('wakeup', { kind, ...verified, apply, publish: published() }, apply.ok);
}

/** The original's has no envelope around it. */
function clarified({ outcome, route, notices, reply }: Heard, { poster, cooldowns }: Giving): Answer {
  if (outcome.kind === 'throttled') {
    const { retryAfterSec } = outcome;
    return { ok: false, throttled: true, retryAfterSec, ...cooldowns(outcome.role) };
  }
  if (outcome.kind === 'refused') return refusal(outcome);
  const role = route.intent.intent === 'clarify' ? route.intent.role : '';
  const group = poster.cooldownGroup;
  const keys = { throttleKey: `${group}:${role}`, globalThrottleKey: `${group}:*` };
  return { ok: true, send: poster.send(notices[0] ?? reply), ...keys };
}

/** The tasks that were made, and what became of the first of them. */
async function projectStarted(
  { first, path, name, document = '', again }: Extract<Outcome, { kind: 'project_started' }>,
  asked: string,
  heard: Heard,
  giving: Giving,
  steps: Steps,
): Promise<Answer> {
  const created = createdIn(heard, giving.poster);
  const bootstrap = await bootstrapOf(first, heard, giving, steps);
  const facts = {
    projectPath: path ?? asked,
    projectName: name,
    projectDoc: document,
    createdCount: created.length,
    createdTaskIds: created.map(({ apply }) => apply.taskId),
    created,
    ...(again && { again }),
    bootstrap,
    ack: giving.poster.send(heard.reply),
  };
  return handled('start_project', facts, bootstrap.ok);
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
