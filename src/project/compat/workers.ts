import path from 'node:path';
import { runCommands } from '../../gate/commands.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import type { Asked, Heard } from '../../kinds/board/act.ts';
import type { Intent } from '../../kinds/board/format/intent.ts';
import { ownFolder } from '../../kinds/board/format/places.ts';
import { foreman } from '../../kinds/board/moves.ts';
import { type SpawnStep, workerReason } from '../../kinds/board/steps.ts';
import { classify, type WorkerOutput } from '../../report/classify.ts';
import type { Project } from '../../settings/project.ts';
import { compareIds } from '../../task/id.ts';
import { type Answer, handled } from './answer.ts';
import { type Call, given, wholeOf } from './call.ts';
import { dispatchAnswer, reportWords, type Steps } from './dispatch-answer.ts';
import { envelope } from './envelope.ts';
import type { Opened } from './open.ts';

const usualSteps = 3;

/**
 * The autopilot without docket's own workers: each task that waits is given to its agent, once. The original gives the
 * first one again and again.
 */
export async function byHand(
  intent: Extract<Intent, { intent: 'autopilot' | 'auto_progress' }>,
  opened: Opened,
  asked: Asked,
  outside: Outside | undefined,
  ran: Steps,
): Promise<Answer> {
  if (intent.intent === 'autopilot') return passed(intent.steps ?? usualSteps, opened, asked, outside, ran);
  // The order is written down, and what it begins with is done here.
  const heard = await opened.board.act(intent, { ...asked, later: true });
  const answer = await envelope(heard, [], opened.giving);
  if (heard.outcome.kind !== 'auto_progress' || intent.action !== 'on') return answer;
  return { ...answer, autopilot: await passed(heard.outcome.maxSteps, opened, asked, outside, ran) };
}

async function passed(
  maxSteps: number,
  opened: Opened,
  asked: Asked,
  outside: Outside | undefined,
  ran: Steps,
): Promise<Answer> {
  if (asked.actor !== foreman && !asked.addressed)
    return { ok: false, error: 'autopilot is restricted to actor=orchestrator' };
  const { board, giving } = opened;
  const waiting = (await board.list())
    .filter(({ status }) => status === 'pending')
    .map(({ taskId }) => taskId);
  const summary = { done: 0, blocked: 0, manual: 0 };
  const steps: object[] = [];
  let stopReason = waiting.length > maxSteps ? 'max_steps_reached' : 'no_runnable_task';
  for (const taskId of waiting.toSorted(compareIds).slice(0, maxSteps)) {
    const found = await board.act({ intent: 'run', taskId }, asked);
    const heard = outside ? await outside(found, asked) : found;
    const dispatch = await dispatchAnswer(heard, giving, ran);
    const { outcome } = heard;
    if (outcome.kind !== 'dispatched') {
      stopReason = 'dispatch_failed';
      break;
    }
    const decision = outcome.ended?.decision;
    summary[decision === 'done' || decision === 'blocked' ? decision : 'manual'] += 1;
    steps.push({ index: steps.length + 1, taskId, agent: outcome.agent, dispatch });
  }
  const { visibility } = giving;
  const told = { maxSteps, stepsRun: steps.length, summary, stopReason, visibilityMode: visibility, steps };
  return handled('autopilot', told, stopReason !== 'dispatch_failed');
}

/**
 * A worker that is not docket's: a command line, or words in the place of one. After a task was given to somebody it is
 * worked on, and what comes of it is written down.
 */
type Outside = (heard: Heard, asked: Asked) => Promise<Heard>;

/** What a worker left, and the command line that it was started with. */
type Output = WorkerOutput & { command?: readonly string[] };

const keptOutput = 1024 * 1024;

/** `--spawn-output` and `--spawn-cmd`. A dry run starts nothing. */
export function outsideOf(call: Call, opened: Opened): Outside | undefined {
  const { mode } = opened.giving.poster.options;
  const output = given(call, 'spawn-output');
  const template = mode === 'dry-run' ? '' : given(call, 'spawn-cmd');
  if (output === '' && template === '') return undefined;
  const worker = async (taskId: string, agent: string, prompt: string): Promise<Output> => {
    if (output !== '') return { text: output, simulated: true };
    return commanded(template, { agent, task_id: taskId, task: prompt }, call, opened.where);
  };
  return (heard, asked) => ended(heard, opened, asked, worker);
}

async function ended(
  heard: Heard,
  opened: Opened,
  asked: Asked,
  worker: (taskId: string, agent: string, prompt: string) => Promise<Output>,
): Promise<Heard> {
  const { outcome } = heard;
  const first = outcome.kind === 'project_started' ? outcome.first : outcome;
  if (first?.kind !== 'dispatched') return heard;
  const { board, giving } = opened;
  const { agent, task } = first;
  const { taskId, title } = task;
  const prompt = await giving.promptFor(taskId, agent);
  const output = await worker(taskId, agent, prompt);
  const found = classify(output, { taskId, title, agent }, () => undefined);
  const { decision, report, structured } = found;
  const detail = workerReason(found, asked.locale ?? 'zh');
  const settled = await board.act(
    decision === 'done'
      ? { intent: 'mark_done', taskId, result: reportWords(report).join('; ') }
      : { intent: 'block_task', taskId, reason: detail },
    { ...asked, actor: foreman, overrideAgent: agent },
  );
  const after = (await giving.viewOf(taskId)) ?? task;
  const isDone = settled.outcome.kind === 'moved' && settled.outcome.move === 'done';
  const ended: Pick<SpawnStep, 'decision' | 'detail'> = isDone
    ? { decision: 'done', detail }
    : { decision: 'blocked', detail: after.blockedReason ?? detail };
  const dispatched = { ...first, mode: 'spawn' as const, task: after, ended };
  const reasonCode = decision === 'done' && !isDone ? 'incomplete_output' : found.reasonCode;
  const { text: stdout, stderr = '', command = [] } = output;
  const result = jsonIn(stdout);
  const sent = { prompt, status: task.status };
  const seen = { reasonCode, command, stdout, stderr, report, structured, sent };
  asked.onStep?.({
    taskId,
    agent,
    ...ended,
    worker: { ...seen, ...(result !== undefined && { result }) },
  });
  const notices = [...heard.notices, ...settled.notices];
  const events = [...heard.events, ...settled.events];
  if (outcome.kind === 'project_started')
    return { ...heard, notices, events, outcome: { ...outcome, first: dispatched } };
  return { ...heard, notices, events, outcome: dispatched };
}

/** What it printed, where that is JSON and nothing else. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The template is cut into words before anything is put into it: no title can become another word, or a command. */
async function commanded(
  template: string,
  put: Readonly<Record<string, string>>,
  call: Call,
  where: Project,
): Promise<Output> {
  const words = shellWords(template).map((word) =>
    word.replaceAll(/\{(agent|task_id|task)\}/g, (_, name: string) => put[name] ?? ''),
  );
  const command = words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
  const dir = path.join(makeOwnFolder(where.root, ...ownFolder.split('/')), 'outside');
  const [ran] = await runCommands([command], {
    cwd: where.root,
    env: where.env,
    dir,
    timeoutMs: Math.max(10, wholeOf(call, 'timeout-sec') + 5) * 1000,
    outputBytes: keptOutput,
    pass: ['*'], // a person's own tool, which checks nobody's work
    signal: call.signal,
  });
  if (ran === undefined) return { text: '', exitCode: 130, stderr: 'stopped', command: words };
  const { output: text, code, timedOut } = ran;
  return { text, exitCode: code, command: words, ...(timedOut && { stderr: 'it took too long' }) };
}

const piece = /\s+|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)|./gs;

/** A line cut into words as a shell would, and nothing else that a shell does. */
export function shellWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [found, single, double, escaped, plain] of line.matchAll(piece)) {
    const part = single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? plain;
    if (part !== undefined) word = (word ?? '') + part;
    else if (found.trim() !== '') word = (word ?? '') + found; // a quote that nobody closes is itself
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}
