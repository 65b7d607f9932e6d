import { clip } from './clip.ts';
import { claimNotice, clarifyNotice, labelOf, notice, personOf, tagOf } from './notice.ts';
import type { Outcome, Refused } from './outcome.ts';
import { statusSummary, taskStatus, synthesisMessage } from './status.ts';
import { type Locale, type Words, verbFor, wordsOf } from './words.ts';

/** The answer to a message, one to three lines (help and reports may be longer). '' says nothing. */
export function replyTo(outcome: Outcome, locale: Locale): string {
  const words = wordsOf(locale);
  switch (outcome.kind) {
    case 'moved': {
      const told = notice(outcome, locale);
      return outcome.move === 'gated' ? `${told}\n${words.gatedNext(clip(outcome.task.taskId, 60))}` : told;
    }
    case 'already':
      return alreadyReply(outcome, locale);
    case 'refused':
      return refusalReply(outcome, words);
    case 'help':
      return words.help.join('\n');
    case 'status':
      return statusSummary(outcome.summary, locale, outcome.full);
    case 'task':
      return taskStatus(outcome.task, locale);
    case 'synthesis':
      return synthesisMessage(outcome.report, locale);
    case 'dispatched':
      return dispatchedReply(outcome, locale);
    case 'clarified':
      return clarifyNotice(outcome, locale);
    case 'silent':
      return '';
    default:
      return `[TASK] ${plainReply(outcome, locale)}`;
  }
}

type Plain = Exclude<
  Outcome['kind'],
  | 'moved'
  | 'already'
  | 'refused'
  | 'help'
  | 'status'
  | 'task'
  | 'synthesis'
  | 'dispatched'
  | 'clarified'
  | 'silent'
>;

function plainReply(outcome: Extract<Outcome, { kind: Plain }>, locale: Locale): string {
  const words = wordsOf(locale);
  switch (outcome.kind) {
    case 'nothing_to_run':
      return words.nothingToRun;
    case 'autopilot': {
      const { stepsRun, maxSteps, done, blocked, manual, stopReason } = outcome;
      const steps = words.autopilot(stepsRun, maxSteps);
      return `${steps} | ${words.stopped[stopReason]}\n${words.autopilotResult(done, blocked, manual)}`;
    }
    case 'autopilot_ordered':
      return words.autopilotOrdered(outcome.steps);
    case 'auto_progress':
      return `${words.autoProgress(outcome.enabled)} | maxSteps=${outcome.maxSteps}`;
    case 'project_created':
      return words.projectCreated(clip(outcome.name, 80), outcome.count);
    case 'project_started': {
      const say = outcome.again ? words.projectAgain : words.projectStarted;
      const document = clip(outcome.document ?? '-', 200);
      return [
        say(clip(outcome.name, 80), outcome.count),
        `${words.document}=${document}`,
        words.projectHint,
      ].join('\n');
    }
    case 'bad_path':
      return words.badPath(clip(outcome.path, 200));
    case 'throttled':
      return `${clip(outcome.taskId, 60)} | ${words.throttled(clip(outcome.role, 60), outcome.retryAfterSec)}`;
    case 'report_without_id':
      return words.reportWithoutId;
    case 'unknown': {
      const { raw, suggestion } = outcome;
      const meant = suggestion === undefined ? [] : [words.didYouMean(clip(suggestion, 200))];
      return [words.unknown(clip(raw, 60)), ...meant, words.askForHelp].join('\n');
    }
  }
}

/** Where docket's own worker has ended, what came of it. */
function dispatchedReply(
  { task, agent, mode, ended }: Extract<Outcome, { kind: 'dispatched' }>,
  locale: Locale,
): string {
  if (ended?.decision !== 'done' && ended?.decision !== 'blocked')
    return claimNotice(task, agent, mode, locale);
  return notice({ kind: 'moved', move: ended.decision, task, text: ended.detail }, locale);
}

function alreadyReply({ move, task }: Extract<Outcome, { kind: 'already' }>, locale: Locale): string {
  const head = `${tagOf(move)} ${task.taskId} `;
  const words = wordsOf(locale);
  if (move === 'done') return `${head}${words.alreadyDone}`;
  const isHeld = move === 'claimed' || move === 'stolen' || move === 'started';
  // The format has no status of its own for what was canceled.
  const label = move === 'canceled' ? words.details.canceled : labelOf(task.status, words);
  return `${head}${isHeld ? words.alreadyHeld(personOf(task.owner, words)) : words.already(label)}`;
}

/** What was not done, why, and what is possible instead. */
function refusalReply(refused: Refused, words: Words): string {
  const { code, intent, taskId, status, allowed = [] } = refused;
  if (code === 'not_found') return `[TASK] ${words.notFound(clip(taskId ?? '', 60))}`;
  const verb = (name: string): string => verbFor(name, words) ?? clip(name, 40);
  const parts = [
    ...(taskId === undefined ? [] : [clip(taskId, 60)]),
    ...(status === undefined ? [] : [`${words.state}=${labelOf(status, words)}`]),
    words.refused(verb(intent)),
  ];
  return [
    `[TASK] ${parts.join(' | ')}`,
    words.why[code](shown(refused)).trim(),
    ...(allowed.length === 0 ? [] : [words.allowed(allowed.map(verb).join(words.comma))]),
  ].join('\n');
}

/** Names and sentences from elsewhere, made harmless and short. */
function shown(refused: Refused): Refused {
  const { taskId, holder, until, detail } = refused;
  return {
    ...refused,
    ...(taskId === undefined ? {} : { taskId: clip(taskId, 60) }),
    ...(holder === undefined ? {} : { holder: clip(holder, 60) }),
    ...(until === undefined ? {} : { until: clip(until, 40) }),
    ...(detail === undefined ? {} : { detail: clip(detail, 160) }),
  };
}
