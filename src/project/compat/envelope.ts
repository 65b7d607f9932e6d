import type { Heard } from '../../kinds/board/act.ts';
import { ownOf } from '../../kinds/board/format/extras.ts';
import { foreman } from '../../kinds/board/moves.ts';
import type { SpawnStep } from '../../kinds/board/steps.ts';
import { speakerFor, type Told } from '../../kinds/board/told.ts';
import { wordsOf } from '../../render/board/words.ts';
import { type Answer, engineAnswer, type Poster, publish, refusal } from './answer.ts';
import {
  autopilotAnswer,
  dispatchAnswer,
  givenAnswer,
  stepAnswers,
  type Giving,
  type Steps,
} from './dispatch-answer.ts';

/** What a message came to, and the workers that ran for it. */
export interface Came {
  heard: Heard;
  steps: readonly SpawnStep[];
}

/** The one answer of the original's router, by what was asked for. */
export async function envelope(
  { heard, steps }: Came,
  giving: Giving,
  broadcasters: readonly string[] = [foreman],
): Promise<Answer> {
  const { route, outcome, reply } = heard;
  const { poster } = giving;
  const send = () => poster.send(reply);
  const said = (intent: string, more: object = {}): Answer => ({ ok: true, handled: true, intent, ...more });
  const name = route.intent.intent;
  switch (name) {
    case 'help':
      return said('help', { send: send() });
    case 'ignored_loop':
      return said('ignored_loop');
    case 'unknown':
      return { ...engineAnswer(heard), handled: false };
    case 'status': {
      if (outcome.kind !== 'status') return said('status', { send: send() });
      return said('status', { full: outcome.full === true, counts: outcome.summary.counts, send: send() });
    }
    case 'synthesize':
      return said('synthesize', { apply: engineAnswer(heard), send: send() });
    case 'auto_progress': {
      if (outcome.kind !== 'auto_progress') return no(heard);
      const { enabled, maxSteps } = outcome;
      const ran = steps.length === 0 ? {} : { steps: await stepAnswers(heard, steps, giving) };
      return said('auto_progress', { state: { enabled, maxSteps }, send: send(), ...ran });
    }
    case 'create_project':
      return outcome.kind === 'project_created' ? projectCreated(heard, poster) : no(heard);
    case 'start_project':
      if (outcome.kind === 'bad_path') return said('start_project', { send: send() });
      return outcome.kind === 'project_started' ? projectStarted(heard, giving, steps) : no(heard);
    case 'run':
      if (outcome.kind === 'nothing_to_run') return said('run', { send: send() });
      if (outcome.kind === 'refused' && outcome.code === 'not_found')
        return said('run', { send: poster.send(`[TASK] ${wordsOf('zh').nothingToRun}`) });
      if (outcome.kind === 'already')
        return said('run', { taskId: outcome.task.taskId, idempotent: true, send: send() });
      return dispatchAnswer(heard, giving, steps);
    case 'dispatch':
      return dispatchAnswer(heard, giving, steps);
    case 'autopilot':
      return autopilotAnswer(heard, steps, giving);
    case 'clarify':
      return clarified(heard, giving);
    case 'report':
      return reported(heard, giving, broadcasters);
    default:
      return boardCommand(heard, giving, broadcasters);
  }
}

function no({ outcome, route }: Heard): Answer {
  const { intent } = route.intent;
  const why =
    outcome.kind === 'refused' ? refusal(outcome) : { ok: false, error: `${intent}: ${outcome.kind}` };
  return { ...why, handled: true, intent };
}

/** A done that the gate turned into blocked is an answer of the router: what it did is in `apply`, why in `acceptance`. */
function boardCommand(heard: Heard, { poster }: Giving, broadcasters: readonly string[]): Answer {
  const apply = applied(heard);
  const published = publish(heard.notices, poster, speakerFor(heard.route.actor), broadcasters);
  const { ok } = apply;
  return {
    ok,
    handled: true,
    intent: 'board_cmd',
    acceptance: heard.acceptance ?? null,
    apply,
    publish: published,
  };
}

function applied(heard: Heard): Answer {
  const { outcome } = heard;
  if (outcome.kind !== 'moved' || outcome.move !== 'gated') return engineAnswer(heard);
  const { taskId, status } = outcome.task;
  return { ok: true, intent: 'block_task', taskId, status };
}

function reported(heard: Heard, { poster }: Giving, broadcasters: readonly string[]): Answer {
  const { outcome, acceptance, reply, route } = heard;
  const about = { handled: true, intent: 'wakeup' };
  const published = (): Answer => publish(heard.notices, poster, speakerFor(route.actor), broadcasters);
  if (outcome.kind === 'report_without_id') return { ok: true, ...about, send: poster.send(reply) };
  if (outcome.kind === 'moved' && outcome.move === 'progress') {
    const { taskId } = outcome.task;
    return { ok: true, ...about, kind: 'progress', taskId, publish: published() };
  }
  const meant = outcome.kind === 'refused' ? outcome.intent : route.intent.intent;
  const kind = acceptance || meant === 'mark_done' ? 'done' : 'blocked';
  const apply = applied({
    ...heard,
    route: {
      ...route,
      intent: { intent: kind === 'done' ? 'mark_done' : 'block_task', taskId: idOf(heard) },
    },
  });
  const verified = acceptance ? { verify: 'acceptance-policy', acceptance } : {};
  return { ok: apply.ok, ...about, kind, ...verified, apply, publish: published() };
}

function idOf({ route: { intent } }: Heard): string {
  return 'taskId' in intent ? (intent.taskId ?? '') : '';
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
  const told: Told | undefined = notices[0];
  const keys = { throttleKey: `${group}:${role}`, globalThrottleKey: `${group}:*` };
  return { ok: true, send: poster.send(told ?? reply), ...keys };
}

function projectCreated(heard: Heard, poster: Poster): Answer {
  const created = createdIn(heard, poster);
  return { ok: true, handled: true, intent: 'create_project', created, ack: poster.send(heard.reply) };
}

/** The tasks that were made, and what became of the first of them. */
async function projectStarted(heard: Heard, giving: Giving, steps: Steps): Promise<Answer> {
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
