import path from 'node:path';
import type { AgentEvent, Question } from '../adapter/adapter.ts';
import type { Agent } from '../adapter/agent.ts';
import { DocketError } from '../errors.ts';
import { workPrompt } from '../render/prompt.ts';
import { reportContract } from '../report/contract.ts';
import type { Backend, Claim } from '../store/backend.ts';
import { openAttempt } from '../task/allowed.ts';
import type { Task } from '../task/schema.ts';
import { prepareWorkspace } from '../workspace/prepare.ts';
import { changeSince } from '../workspace/tree.ts';
import { attemptFolder } from './attempt-folder.ts';
import { treeBefore } from './before.ts';
import { Heartbeat } from './heartbeat.ts';
import { endingOf, Recorder, type EndedAttempt, type Entry } from './recorder.ts';
import { needsPerson } from './setup.ts';
import { runStep } from './step.ts';
import { outcomeOf, type Outcome } from './verdict.ts';

export interface WorkOptions {
  root: string;
  /** docket's own folder of this store: attempts and clones live there. */
  dir: string;
  store: Backend;
  owner: string;
  /** Who does it, and the task's words, whole. What fails here is a thing that a person has to mend. */
  order: (task: Task) => Promise<{ agent: Agent; body: string }>;
  env: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
  now: () => number;
  onEvent?: (event: AgentEvent, attempt: number) => void;
  ask?: (question: Question) => Promise<string>;
}

/** The name of the step of a task that has one. */
export const onlyStep = 'work';

/** A claimed task with one step: from the prompt to the verdict. Returns the task as it is then. */
export async function workOn(claim: Claim, options: WorkOptions): Promise<Task> {
  const { store, owner, now } = options;
  const recorder = new Recorder(store, claim.task, owner, now);
  const heartbeat = new Heartbeat(store, claim);
  const signal = AbortSignal.any([options.signal, heartbeat.signal]);
  try {
    const { outcome, last } = await judged(recorder, { ...options, signal });
    await recorder.write(...(last ? [endingOf(last)] : []), commandFor(outcome));
    return recorder.task;
  } catch (error) {
    // Somebody else decided about it, and that counts. Our agent was ended, and we have nothing to say.
    if (isLost(error)) return (await store.get(claim.task.id)) ?? claim.task;
    throw error;
  } finally {
    heartbeat.close();
    // What was decided stands. A lock that cannot be given up now is given up with the store.
    await claim.release().catch(() => undefined);
  }
}

interface Judged {
  outcome: Outcome;
  /** Written down together with the outcome: a step that was seen to its end is never run again. */
  last?: EndedAttempt;
}

async function judged(recorder: Recorder, options: WorkOptions): Promise<Judged> {
  let last: EndedAttempt | undefined;
  try {
    const { root, dir, env, signal, now } = options;
    if (signal.aborted) return { outcome: interrupted };
    const { task } = recorder;
    const { agent, body } = await options.order(task);
    const cwd = await prepareWorkspace(root, path.join(dir, 'clones'), task);
    const attemptsDir = path.join(dir, 'attempts');
    const before = await treeBefore(cwd, dir, task.id, openAttempt(task, onlyStep) !== undefined);
    const plain = agent.adapter.capabilities.plainReports === true;
    const result = await runStep({
      step: onlyStep,
      agent,
      recorder,
      prompt: workPrompt({ title: task.title, body }, plain ? undefined : reportContract),
      cwd,
      folder: (n) => attemptFolder(attemptsDir, task.id, n),
      env,
      signal,
      now,
      ...(options.onEvent && { onEvent: options.onEvent }),
      ...(options.ask && { ask: options.ask }),
    });
    last = result.last;
    const change = before && (await changeSince(cwd, before));
    const report = path.join(attemptsDir, task.id, String(recorder.attempt(onlyStep)?.n), 'report.json');
    const seen = { readOnly: agent.permission === 'read', change, evidence: path.relative(root, report) };
    return { outcome: outcomeOf(result.end, seen), ...(last && { last }) };
  } catch (error) {
    const reason = recorder.fault === error ? undefined : needsPerson(error);
    if (reason === undefined) throw error;
    // A Ctrl-C reaches the programs that we ask, too: they did not fail.
    const outcome: Outcome = options.signal.aborted
      ? interrupted
      : { kind: 'settle', verdict: { kind: 'hold', reason }, summary: '' };
    return { outcome, ...(last && { last }) };
  }
}

const interrupted: Outcome = { kind: 'requeue', reason: 'docket was interrupted' };

function commandFor(outcome: Outcome): Entry {
  if (outcome.kind === 'requeue') return { type: 'requeue', reason: outcome.reason };
  const { verdict, summary } = outcome;
  return { type: 'settle', verdict, summary: summary === '' ? 'worked on by an agent' : summary };
}

function isLost(error: unknown): boolean {
  return error instanceof DocketError && error.code === 'FENCED';
}
