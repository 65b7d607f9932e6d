import type { Heard } from '../../kinds/board/act.ts';
import { foreman } from '../../kinds/board/moves.ts';
import type { SpawnStep } from '../../kinds/board/steps.ts';
import { speakerFor, type Told } from '../../kinds/board/told.ts';
import { wordsOf } from '../../render/board/words.ts';
import { autopilotAnswer, dispatchAnswer, stepAnswers, type Giving } from './dispatch-answer.ts';
import { engineAnswer, refusal, type Answer } from './engine.ts';
import { noGroup } from './open.ts';
import { projectCreated, projectStarted } from './project-answer.ts';
import { publish } from './publish.ts';

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
  const group = poster.options.group || noGroup;
  const told: Told | undefined = notices[0];
  const keys = { throttleKey: `${group}:${role}`, globalThrottleKey: `${group}:*` };
  return { ok: true, send: poster.send(told ?? reply), ...keys };
}
