import path from 'node:path';
import type { SessionWish } from '../../adapters/adapter.ts';
import type { Agent } from '../../adapters/agent.ts';
import { answerOf, reportFor } from '../../engine/contract.ts';
import type { Masking } from '../../engine/masking.ts';
import { gateOf } from '../../engine/questions.ts';
import type { StepOrder } from '../../engine/run-workflow.ts';
import type { TreeTrail } from '../../engine/tree-trail.ts';
import { DocketError } from '../../errors.ts';
import { isDirectory } from '../../io/find-up.ts';
import { placeInside } from '../../io/inside.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { readTextFile } from '../../io/text-file.ts';
import { askedAt } from '../../render/asked.ts';
import { fenced } from '../../render/fence.ts';
import { redact } from '../../render/redact.ts';
import { resumePrompt, type WorkerBrief, workerPrompt } from '../../render/worker-prompt.ts';
import { clip } from '../../report/clip.ts';
import { reportContract } from '../../report/contract.ts';
import { agentNamed, onModel } from '../../settings/agents.ts';
import type { Config } from '../../settings/config.ts';
import type { Project } from '../../settings/project.ts';
import { acceptanceCommands } from '../../settings/prove.ts';
import type { Store } from '../../store/store.ts';
import type { Step } from '../../task/run.ts';
import type { Task } from '../../task/schema.ts';
import { roundOf } from '../../workflow/advance.ts';
import { newWords, readContext, readNotes } from './context.ts';
import { homeInstance } from './format/adapter.ts';
import { ownOf } from './format/own.ts';
import type { TaskPlace } from './place.ts';
import { runtimeFolder } from './runtime-folder.ts';

export interface Orders {
  where: Project;
  place: TaskPlace;
  store: Store;
  config: Config;
  masking: Masking;
  /** What the planner's rounds are compared by. */
  trail: TreeTrail;
  emulateFork: boolean;
}

/** For an agent that does not remember what it had asked. */
const agreed = 'You had asked a person before you went on, and they agreed.';

/** A worker's order: who, where, with which words, and in which conversation. */
export async function workerOrder(step: Step, task: Task, orders: Orders): Promise<StepOrder> {
  const { where, place } = orders;
  const { agent, cwd } = await staffed(step, task, orders);
  const plain = agent.adapter.capabilities.plainReports === true && agent.report === 'text';
  const { session, transcript } = sessionFor(step, task, agent, orders);
  const state = task.run?.states[step.id];
  const notes = readNotes(place.dir);
  const { [step.id]: words = '' } = await promptsOf(step, task, orders.store);
  const answer = state?.answer;
  const context = readContext(where.root, place.dir);
  const prompt = workerPrompt(
    {
      goal: task.run?.goal ?? '',
      title: step.title,
      prompt: transcript === undefined ? words : `${transcript}\n\n${words}`,
      attachments: context.attachments,
      missing: context.problems,
      needs: resultsOf(step, task),
      heldTo: heldTo(task, orders.config),
      // What the answer says is not said twice.
      ...(notes !== '' && { notes: newWords(answer ?? '', notes) }),
      ...(answer !== undefined && { answer: answer || agreed }),
    },
    plain ? undefined : reportContract,
  );
  const schema = ownSchema(where.root, step);
  const goOn =
    answer !== undefined && resumePrompt({ notes: newWords(answer, notes), ...why(step, task), answer });
  return {
    agent,
    cwd,
    prompt: redact(prompt).text,
    folder: (n) => runtimeFolder(place.dir, step.id, n),
    contract: {
      ...reportFor(agent),
      ...(!plain && { read: (turn) => answerOf(turn, false) }),
      ...(schema && { schema }),
    },
    ...(session && { session }),
    ...(typeof goOn === 'string' && { goOn: redact(goOn).text }),
  };
}

/** What docket will check: agents are told before they begin. */
function heldTo(task: Task, config: Config): NonNullable<WorkerBrief['heldTo']> {
  const { scope, acceptance } = task.spec;
  return {
    commands: acceptanceCommands(task, config),
    criteria: acceptance?.criteria ?? [],
    allow: scope?.allow ?? [],
    deny: scope?.deny ?? [],
  };
}

/** The agent as this step needs it, and the folder it works in. */
export async function staffed(
  step: Step,
  task: Task,
  { where, place, config }: Orders,
): Promise<{ agent: Agent; cwd: string }> {
  const found = await agentNamed(step.agent, config, where);
  const modelled = step.model === undefined ? found : onModel(found, step.model, config);
  const agent = withHome(modelled, task, step.id, place, where.env);
  const { timeoutSeconds } = ownOf(task).config;
  const wallMs = 1000 * (step.seconds ?? timeoutSeconds);
  const limits = { ...agent.limits, wallMs: step.seconds ? wallMs : Math.min(agent.limits.wallMs, wallMs) };
  const cwd = step.cwd === undefined || step.cwd === '.' ? where.root : placeInside(where.root, step.cwd);
  if (!isDirectory(cwd))
    throw new DocketError('NOT_FOUND', `there is no folder ${step.cwd}`, 'make it', { path: cwd });
  return { agent: { ...agent, limits }, cwd };
}

function sessionFor(
  step: Step,
  task: Task,
  agent: Agent,
  { place, emulateFork }: Orders,
): { session?: SessionWish; transcript?: string } {
  const { session } = step;
  if (!session) return {};
  if (session.kind === 'resume')
    return agent.adapter.capabilities.resume ? { session: { kind: 'resume', id: session.id } } : {};
  if (agent.adapter.capabilities.fork) return { session: { kind: 'fork', id: session.id } };
  if (emulateFork) return { transcript: transcriptOf(task, session.id, place.dir) };
  throw cannotFork(agent);
}

export function cannotFork({ name, adapter }: Agent): DocketError {
  return new DocketError(
    'REFUSED',
    `agent ${name} cannot fork a session: the ${adapter.name} adapter has no such thing`,
    'use mode "spawn" or another adapter, or --emulate-fork to give it the words of the parent',
    { agent: name, adapter: adapter.name },
  );
}

/** What the steps of that one's round were told, by their ids. */
export async function promptsOf(
  step: Step,
  task: Task,
  store: Store,
): Promise<Partial<Record<string, string>>> {
  const { run } = task;
  const text = run?.orders[roundOf(run, step.id)];
  if (text === undefined) return {};
  const bytes = typeof text === 'string' ? undefined : await store.blobs.get(text.blob);
  if (typeof text !== 'string' && !bytes) {
    const message = `the order of ${step.id} is missing: ${text.blob} is not among the texts of this task`;
    throw new DocketError('BAD_FILE', message, 'restore the task directory from a backup');
  }
  const json = typeof text === 'string' ? text : Buffer.from(bytes as Uint8Array).toString('utf8');
  return JSON.parse(json) as Record<string, string>;
}

/** What it had stopped for: every question, where it asked several. */
function why({ id }: Step, { run }: Task): { reason?: string } {
  const gate = run?.gates[gateOf(id)];
  if (!gate) return {};
  const { questions } = askedAt(run, gate);
  return { reason: questions ? questions.join('\n') : gate.reason };
}

export function resultsOf({ needs }: Step, { run }: Task) {
  return needs.flatMap((id) => {
    const summary = run?.states[id]?.report?.['summary'];
    const title = run?.steps.find((step) => step.id === id)?.title ?? id;
    return typeof summary === 'string' ? [{ id, title, summary }] : [];
  });
}

/** What the vendor is to hold the answer to, where the order names a schema of its own. */
function ownSchema(root: string, step: Step): Record<string, unknown> | undefined {
  if (step.outputSchema === undefined) return undefined;
  const file = placeInside(root, step.outputSchema);
  const text = readTextFile(file, 1024 * 1024);
  try {
    const schema: unknown = JSON.parse(text ?? '');
    if (typeof schema === 'object' && schema !== null) return schema as Record<string, unknown>;
  } catch {
    // said below
  }
  const what = text === undefined ? 'is not there' : 'is no JSON schema';
  throw new DocketError('INVALID', `${path.relative(root, file)} ${what}`, 'mend outputSchemaPath', {
    path: file,
  });
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The agent with a vendor home of this instance's own, where its format wants one and nobody named another. The login
 * comes by a link (the adapter sees to it), and so do the user's settings, without which it might not find its model.
 */
function withHome(agent: Agent, task: Task, step: string, { dir, own }: TaskPlace, env: Env): Agent {
  if (agent.home !== undefined) return agent;
  // One for all: what one of them began, another may fork.
  if (agent.adapter.name === 'script') return { ...agent, home: makeOwnFolder(own, 'script') };
  const instance = agent.adapter.linkSettings && homeInstance(task, step);
  if (instance === undefined) return agent;
  const home = makeOwnFolder(dir, 'agents', instance, `${agent.adapter.name}_home`);
  agent.adapter.linkSettings?.({ env, home });
  return { ...agent, home };
}

const longestFile = 64 * 1024 * 1024;
const longestPart = 30_000;

/** What an agent that cannot copy a session is told of it instead: the order, the record and the result of its parent. */
function transcriptOf(task: Task, session: string, dir: string): string {
  const attempt = Object.values(task.attempts ?? {}).find((one) => one.session === session);
  if (!attempt) {
    throw new DocketError(
      'NOT_FOUND',
      `session ${session} belongs to no agent of this task: there are no words to give on`,
      'fork from a session of this task, or use mode "spawn"',
      { session },
    );
  }
  const folder = runtimeFolder(dir, attempt.step, attempt.n);
  const part = (title: string, name: string): string => {
    const text = readTextFile(path.join(folder, name), longestFile) ?? '';
    const kept = text.length > longestPart ? `…${text.slice(-longestPart)}` : text;
    return `### ${title}\n\n${fenced(kept, 'that agent and whoever it worked for')}`;
  };
  const report = JSON.stringify(task.run?.states[attempt.step]?.report ?? {}, undefined, 2);
  return [
    '## What you start from',
    'You take over from an agent that worked on this before you.',
    part('What it was told', 'prompt'),
    part('Its record, as it was printed (the end of it)', 'events.jsonl'),
    `### What it handed back\n\n${fenced(clip(report, longestPart), 'that agent')}`,
  ].join('\n\n');
}
