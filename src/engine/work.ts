import path from 'node:path';
import type { AgentEvent, Question } from '../adapter/adapter.ts';
import type { Agent } from '../adapter/agent.ts';
import { messageOf, DocketError } from '../errors.ts';
import { workPrompt } from '../render/prompt.ts';
import { reportContract } from '../report/contract.ts';
import type { Backend, Claim } from '../store/backend.ts';
import type { Task } from '../task/schema.ts';
import { prepareWorkspace } from '../workspace/prepare.ts';
import { changeSince, treeState } from '../workspace/tree.ts';
import { Recorder } from './recorder.ts';
import { runStep, type StepEnd } from './step.ts';
import { outcomeOf, type Outcome } from './verdict.ts';

export interface WorkOptions {
  root: string;
  /** docket's own folder of this store: attempts and clones live there. */
  dir: string;
  store: Backend;
  owner: string;
  agent: Agent;
  /** The task's words, whole. */
  body: string;
  env: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
  now: () => number;
  onEvent?: (event: AgentEvent, attempt: number) => void;
  ask?: (question: Question) => Promise<string>;
}

const step = 'work';

/** A claimed task with one step: from the prompt to the verdict. */
export async function workOn(claim: Claim, options: WorkOptions): Promise<Task> {
  const { store, owner, now, agent } = options;
  const recorder = new Recorder(store, claim.task, owner, now);
  const outcome = await judged(recorder, options).catch((error: unknown) => setupFailed(error));
  if (outcome.kind === 'requeue') await recorder.write({ type: 'requeue', reason: outcome.reason });
  else await recorder.write({ type: 'settle', verdict: outcome.verdict, summary: summaryOf(outcome, agent) });
  await claim.release();
  return recorder.task;
}

async function judged(recorder: Recorder, options: WorkOptions): Promise<Outcome> {
  const { root, dir, agent, body, env, signal, now } = options;
  const { task } = recorder;
  const cwd = await prepareWorkspace(root, path.join(dir, 'clones'), task);
  const before = await treeState(cwd);
  const attemptsDir = path.join(dir, 'attempts');
  const plain = agent.adapter.capabilities.plainReports === true;
  const end: StepEnd = await runStep({
    step,
    agent,
    recorder,
    prompt: workPrompt({ title: task.title, body }, plain ? undefined : reportContract),
    cwd,
    attemptsDir,
    env,
    signal,
    now,
    ...(options.onEvent && { onEvent: options.onEvent }),
    ...(options.ask && { ask: options.ask }),
  });
  const change = before && (await changeSince(cwd, before));
  const evidence = path.relative(
    root,
    path.join(attemptsDir, task.id, String(recorder.attempt?.n), 'report.json'),
  );
  return outcomeOf(end, { readOnly: agent.permission === 'read', change, evidence });
}

/** What a person has to mend before this task can run. A lost claim or a fault of ours is not such a thing. */
function setupFailed(error: unknown): Outcome {
  if (!(error instanceof DocketError) || error.code === 'FENCED') throw error;
  const text = `${messageOf(error)} (${error.fix})`;
  return {
    kind: 'settle',
    verdict: { kind: 'hold', reason: { kind: 'setup', text, who: 'a person' } },
    summary: '',
  };
}

function summaryOf({ summary }: Extract<Outcome, { kind: 'settle' }>, agent: Agent): string {
  return summary === '' ? `worked on by ${agent.name}` : summary;
}
