import type { Heard } from '../../kinds/board/act.ts';
import type { SpawnStep, WorkerSeen } from '../../kinds/board/steps.ts';
import type { Visibility } from '../../kinds/board/told.ts';
import type { TaskView } from '../../render/board/outcome.ts';
import { wordsOf } from '../../render/board/words.ts';
import { clip } from '../../report/clip.ts';
import type { Report } from '../../report/schema.ts';
import { type Answer, handled, type Poster, publish, refusal, skipped } from './answer.ts';

/** What answers are made with. */
export interface Giving {
  poster: Poster;
  visibility: Visibility;
  mentionOf: (role: string) => string;
  /** What a worker was, or would be, told about the task. */
  promptFor: (taskId: string, agent: string, text?: string) => Promise<string>;
  viewOf: (taskId: string) => Promise<TaskView | undefined>;
  /** When a role, and the group, were asked last. */
  cooldowns: (role: string) => { lastAt: string | null; globalLastAt: string | null };
}

/** The workers that ran for it. */
export type Steps = readonly SpawnStep[];

type Dispatched = Extract<Heard['outcome'], { kind: 'dispatched' }>;

/** `dispatch` and `run`: a task was given to an agent, or was not. */
export async function dispatchAnswer(heard: Heard, giving: Giving, steps: Steps): Promise<Answer> {
  const { outcome, route } = heard;
  if (outcome.kind === 'refused') {
    const claim = refusal(outcome);
    const isClaim = ['held', 'at_work', 'illegal'].includes(outcome.code);
    return isClaim ? { ok: false, error: `failed to claim task: ${outcome.taskId ?? ''}`, claim } : claim;
  }
  if (outcome.kind === 'already') {
    const send = giving.poster.send(heard.reply);
    const { taskId } = outcome.task;
    return handled('dispatch', { taskId, idempotent: true, send });
  }
  if (outcome.kind !== 'dispatched') return { ok: false, error: `dispatch: ${outcome.kind}` };
  const text = route.intent.intent === 'dispatch' ? route.intent.text : undefined;
  return givenAnswer(outcome, heard, giving, steps, text);
}

export async function givenAnswer(
  { task, agent, mode, ended }: Dispatched,
  { notices, events }: Pick<Heard, 'notices' | 'events'>,
  { poster, visibility, mentionOf, promptFor }: Giving,
  steps: Steps,
  text?: string,
): Promise<Answer> {
  const { taskId, owner, status } = task;
  const step = steps.find((one) => one.taskId === taskId) ?? (ended && { taskId, agent, ...ended });
  const sent = step?.worker?.sent;
  const skipped = !events.some(({ type }) => type === 'task.claimed' || type === 'task.started');
  const [claim, order, ...later] = notices.filter((told) => told.taskId === taskId);
  return {
    ok: ended === undefined || ended.decision === 'done' || ended.decision === 'blocked',
    handled: true,
    intent: 'dispatch',
    taskId,
    agent,
    dispatchMode: mode,
    visibilityMode: visibility,
    claim: {
      ok: true,
      intent: 'claim_task',
      taskId,
      owner: owner ?? agent,
      status: sent?.status ?? status,
      ...(skipped && { skipped }),
    },
    claimSend: claim === undefined ? null : poster.send(claim),
    taskSend: order === undefined ? null : poster.send(order),
    ...closing(step, later, poster, visibility),
    waitForReport: ended === undefined,
    autoClose: ended !== undefined,
    reportTemplate: wordsOf('zh').dispatch.template(mentionOf('orchestrator'), taskId),
    agentPrompt: sent?.prompt ?? (await promptFor(taskId, agent, text)),
  };
}

/** What a worker that docket started came to. */
function closing(
  step: SpawnStep | undefined,
  notices: Heard['notices'],
  poster: Poster,
  visibilityMode: Visibility,
): Record<string, unknown> {
  if (step === undefined)
    return {
      spawn: skipped('manual dispatch'),
      closeApply: skipped('spawn disabled'),
      closePublish: skipped('spawn disabled'),
      workerReport: skipped('visibility mode not enabled'),
    };
  const { taskId, decision } = step;
  const isDone = decision === 'done';
  const intent = isDone ? 'mark_done' : 'block_task';
  const handover = notices.find(({ from }) => from !== undefined);
  return {
    spawn: spawnAnswer(step),
    closeApply: { ok: true, intent, taskId, status: isDone ? 'done' : 'blocked' },
    closePublish: publish(
      notices.filter(({ from }) => from === undefined),
      poster,
    ),
    workerReport: handover
      ? { ok: true, skipped: false, visibilityMode, send: poster.send(handover) }
      : skipped('spawn not done or visibility hidden'),
  };
}

export async function autopilotAnswer(heard: Heard, ran: Steps, giving: Giving): Promise<Answer> {
  const { outcome } = heard;
  if (outcome.kind === 'refused') return refusal(outcome);
  if (outcome.kind !== 'autopilot') return { ok: false, error: `autopilot: ${outcome.kind}` };
  const { maxSteps, stepsRun, done, blocked, manual, stopReason } = outcome;
  const summary = { done, blocked, manual };
  const steps = await stepAnswers(heard, ran, giving);
  const visibilityMode = giving.visibility;
  return handled('autopilot', { maxSteps, stepsRun, summary, stopReason, visibilityMode, steps });
}

/** Each task that the autopilot gave to a worker, as if it had been dispatched alone. */
export function stepAnswers(heard: Heard, ran: Steps, giving: Giving): Promise<object[]> {
  return Promise.all(
    ran.map(async (step, index) => {
      const { taskId, agent } = step;
      const task = await giving.viewOf(taskId);
      const events = heard.events.filter((event) => event.taskId === taskId);
      const about = { kind: 'dispatched', agent, mode: 'spawn', ended: step } as const;
      const dispatch = task
        ? await givenAnswer({ ...about, task }, { notices: heard.notices, events }, giving, [step])
        : { ok: false, error: `task not found: ${taskId}` };
      return { index: index + 1, taskId, agent, dispatch };
    }),
  );
}

const longest = { summary: 260, detail: 220, line: 180, path: 140 };
const most = { lines: 6, changes: 8 };

/** What the original says of a worker, under `spawn`: its report by the fields that the original asks for. */
function spawnAnswer({ taskId, agent, decision, detail, worker }: SpawnStep): Record<string, unknown> {
  const about = { ok: decision === 'done', decision, detail };
  if (!worker) return about;
  const { reasonCode, command, stdout, stderr, result, retried, report, structured } = worker;
  return {
    ...about,
    reasonCode,
    command,
    stdout,
    stderr,
    spawnResult: result ?? {},
    normalizedReport: {
      taskId,
      agent,
      status: decision,
      summary: clip(report.summary || detail, longest.summary),
      changes: report.changes.slice(0, most.changes).map(changeOf),
      evidence: lines(report.evidence.map(proofOf)),
      risks: lines(report.risks),
      nextActions: lines(report.nextActions),
      acceptanceText: reportWords(report).join('; '),
      detail: clip(detail, longest.detail),
      structured,
    },
    ...(retried && { retried }),
  };
}

/** `path: summary`, as a report has it. */
function changeOf(line: string): { path: string; summary: string } {
  const [, path = '', summary = line] = /^(\S+): ([\s\S]*)$/.exec(line) ?? [];
  return { path: clip(path, longest.path), summary: clip(summary, longest.line) };
}

function lines(all: readonly string[]): string[] {
  return all.slice(0, most.lines).map((line) => clip(line, longest.line));
}

/** The words that the gate judges. */
export function reportWords({ summary, changes, evidence }: Report): string[] {
  return [summary, ...changes, ...evidence.map(proofOf)].filter((part) => part !== '');
}

function proofOf({ ref, note }: WorkerSeen['report']['evidence'][number]): string {
  return note === undefined ? ref : `${ref} (${note})`;
}
