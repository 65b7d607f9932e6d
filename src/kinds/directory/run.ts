import path from 'node:path';
import { announced, type StepProgress, type TaskRef } from '../../engine/progress.ts';
import type { Entry } from '../../engine/recorder.ts';
import { TreeTrail } from '../../engine/tree-trail.ts';
import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { iso } from '../../io/clock.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { agentNamed } from '../../settings/agents.ts';
import type { Config } from '../../settings/config.ts';
import { maskingFor } from '../../settings/masking.ts';
import type { Project } from '../../settings/project.ts';
import { lastWorkers, onlyWorker, proverFor } from '../../settings/prove.ts';
import { readConfig } from '../../settings/read-config.ts';
import { executeTogether } from '../../store/execute.ts';
import type { Claim, Store } from '../../store/store.ts';
import { isOver } from '../../task/allowed.ts';
import type { Command } from '../../task/command.ts';
import type { Run, Step } from '../../task/run.ts';
import type { Task, TaskOf } from '../../task/schema.ts';
import { intentsOf } from '../bridges/packet-intents.ts';
import { claimTask } from '../claim.ts';
import { refused } from '../refused.ts';
import { type Recipe, runTask } from '../run-task.ts';
import { redoing } from './again.ts';
import type { RanDirectory, RunControl, RunTaskInput, StepResult } from './api.ts';
import { readContext } from './context.ts';
import { builtInAdapters } from './format/action-fields.ts';
import { readActions } from './format/actions.ts';
import { ownOf } from './format/own.ts';
import { answerByNotes, keptNotes, waitsForPerson } from './gates.ts';
import { cannotFork, type Orders, workerOrder } from './orders.ts';
import { oneByOne, packetOrder } from './packet-step.ts';
import { assertTask, claimWords, proofFolder } from './place.ts';
import { nextPlanRound, planOrder, planRound } from './planner.ts';
import { compileFor, dispatchOf, invalidActions, knownFor } from './rounds.ts';
import { readTask, shown, withStore } from './stores.ts';

/** What became of the steps, in the order in which they were asked for. */
function ranDirectory(task: Task, interrupted: boolean): RanDirectory {
  const { run } = task;
  const steps = run?.steps.map(({ id, agent }): StepResult => {
    const state = run.states[id];
    const summary = state?.report?.['summary'];
    const attempt = task.attempts?.[id];
    const seconds = attempt?.end && (Date.parse(attempt.end.at) - Date.parse(attempt.startedAt)) / 1000;
    return {
      step: id,
      agent,
      state:
        state?.state === 'running' && task.status !== 'running' ? 'interrupted' : (state?.state ?? 'waiting'),
      summary: state?.reason ?? (typeof summary === 'string' ? summary : ''),
      ...(seconds !== undefined && { seconds }),
    };
  });
  return { ...shown(task), steps: steps ?? [], interrupted };
}

const summaryFile = 'shared/reports/joined-summary.md';

/** What a new round consists of. */
interface Order {
  goal: string;
  steps: Step[];
  orders: Record<string, string>;
  planner?: NonNullable<Run['planner']>;
}

/** Everything that was given is checked before anything changes. */
export async function runDirectory(where: Project, id: string, input: RunTaskInput): Promise<RanDirectory> {
  const place = assertTask(where.root, id);
  const config = await readConfig(where.root, where.env);
  const masking = maskingFor(where, config);
  const { task } = await readTask(where, id);
  const order = await ordered(task, input, config, where);
  return withStore(where, place, async (store) => {
    await answerByNotes(store, where, place);
    const now = await assertFree(store, id, order !== undefined);
    if (now.status === 'canceled' && task.status !== 'canceled') throw canceledMeanwhile(id);
    if (now.status === 'canceled' && input.kind === 'rest') throw isCanceled(now);
    const again = input.kind === 'again' ? redoing(now, input) : [];
    const isOverNow = isFinished(now) || (input.kind === 'rest' && isDoneByHand(now));
    if (!order && again.length === 0 && isOverNow) return ranDirectory(now, false);
    const back =
      order === undefined
        ? ({ reason: 'it goes on', steps: 'asked' } as const)
        : { reason: 'new steps were ordered' };
    const claim = await claimTask(store, where, now, back, claimWords(id));
    if (order)
      await written(store, where, claim, [await dispatchOf(claim.task, masking.value(order), store)]);
    if (again.length > 0) await written(store, where, claim, masking.value(again));
    const kept = { base: where.root, below: ['.docket', 'agentmesh', id] };
    const trail = new TreeTrail(where.root, kept, masking);
    const emulateFork = input.emulateFork ?? false;
    const orders: Orders = { where, place, store, config, masking, trail, emulateFork };
    const done = await conducted(claim, orders, input);
    const { problems } = readContext(where.root, place.dir);
    const ran = ranDirectory(done, input.signal.aborted);
    return problems.length === 0 ? ran : { ...ran, warnings: problems };
  });
}

/** Goes on with what was ordered. Only after the person acted, where one has to. */
export function resumeTask(where: Project, id: string, control: RunControl): Promise<RanDirectory> {
  return runDirectory(where, id, { ...control, kind: 'rest' });
}

async function ordered(
  task: Task,
  input: RunTaskInput,
  config: Config,
  where: Project,
): Promise<Order | undefined> {
  if (input.kind === 'rest' || input.kind === 'again') return undefined;
  if (input.kind === 'goal') {
    const agent = input.agent ?? config.defaultAgent ?? builtInAdapters[0];
    await agentNamed(agent, config, where);
    const rounds = (task.run?.steps.filter(({ kind }) => kind === 'plan').length ?? 0) + 1;
    const planner = { agent, rounds: rounds - 1 + input.maxRounds };
    return { ...planRound(task, rounds, agent, input.goal), planner };
  }
  const intents = input.actions.includes('"packet"') ? { intents: intentsOf(where) } : {};
  const read = readActions(input.actions, { ...knownFor(task, config, where.root), ...intents });
  if ('problems' in read) throw invalidActions(read.problems, input.source);
  const compiled = compileFor(task, read.actions);
  if ('problems' in compiled) throw invalidActions(compiled.problems, input.source);
  for (const step of compiled.steps) await assertForkable(step, config, where, input.emulateFork);
  return compiled;
}

async function assertForkable(
  step: Step,
  config: Config,
  where: Project,
  emulate: boolean | undefined,
): Promise<void> {
  if (step.session?.kind !== 'fork' || emulate) return;
  const agent = await agentNamed(step.agent, config, where);
  if (!agent.adapter.capabilities.fork) throw cannotFork(agent);
}

/** New steps come when the earlier ones are over; what goes on must not wait for a person. */
async function assertFree(store: Store, id: string, isNew: boolean): Promise<Task> {
  const task = await store.get(id);
  if (!task)
    throw new DocketError('NOT_FOUND', `there is no task ${id}`, fix`see ${command`task list`}`, { id });
  const waits = waitsForPerson(task);
  // Queued: docket ended in the middle, and agents may still be at work beside the one that waits. The same for those
  // that waited for their provider.
  const goesOn = task.status === 'blocked' && task.reason.who === 'docket';
  if (waits && task.status !== 'running' && task.status !== 'queued' && !goesOn) throw waits;
  const { run } = task;
  const left = run?.steps.filter((step) => !isOver(run, step.id)) ?? [];
  if (isNew && left.length > 0) {
    throw new DocketError(
      'REFUSED',
      `task ${id} has ${left.length} unfinished steps: ${left
        .slice(0, 5)
        .map((step) => step.id)
        .join(', ')}`,
      fix`go on with them first: ${command`task resume ${id}`}`,
      { id, steps: left.map((step) => step.id) },
    );
  }
  if (!isNew && !run) {
    throw new DocketError(
      'REFUSED',
      `nothing was ordered for task ${id} yet`,
      fix`${command`task run ${id} --actions FILE`}, or --goal "…"`,
      { id },
    );
  }
  return task;
}

/** What was canceled before is taken up again by an order; a person who was a moment quicker is not overruled. */
function canceledMeanwhile(id: string): DocketError {
  const fix = 'if you want it all the same, run the command again';
  return new DocketError('REFUSED', `task ${id} was canceled a moment ago`, fix, { id });
}

/** Only a person who names it takes it up again: a resume is for what was interrupted or answered. */
function isCanceled({ id, canceledBecause }: TaskOf<'canceled'>): DocketError {
  const todo = fix`to reopen it: ${command`task retry ${id}`}; questions that were open are asked again`;
  return new DocketError('REFUSED', `task ${id} is canceled: ${canceledBecause}`, todo, { id });
}

/** A file says that it is done, whatever is left of its steps: only a person who names it takes it up again. */
function isDoneByHand(task: Task): boolean {
  return task.status === 'done' && task.unproved === true;
}

/** To go on with it is to leave it alone. */
function isFinished({ status, run }: Task): boolean {
  return (status === 'done' || status === 'failed') && !run?.steps.some((step) => !isOver(run, step.id));
}

async function written(
  store: Store,
  where: Project,
  { task: { id }, token }: Claim,
  entries: readonly Entry[],
): Promise<void> {
  const commands = entries.map((entry) => ({ ...entry, id, by: 'controller', token }) as Command);
  const done = await executeTogether(store, id, commands, iso(where.clock));
  if (!done.ok) throw refused(done.refusal, id);
}

function conducted(claim: Claim, orders: Orders, control: RunControl): Promise<Task> {
  const { where, place, store } = orders;
  const { maxConcurrentAgents, autoApprove } = ownOf(claim.task).config;
  const { id } = claim.task;
  const goOn = String(command`task resume ${id}`);
  const prove = proverFor(
    { ...where, config: orders.config },
    {
      cwd: where.root,
      masking: orders.masking,
      attempts: { attemptsBy: 'instance', attempts: path.join(place.dir, 'agents') },
      folder: () => makeOwnFolder(place.dir, ...proofFolder),
      scratch: () => makeOwnFolder(place.own, 'proof'),
      ...(!control.joinOnly && { back: onlyWorker }),
      asks: lastWorkers,
      name: id,
      goOn,
    },
  );
  const { onProgress } = control;
  const title = orders.masking.text(claim.task.title);
  const ref: TaskRef = { kind: 'task', id, name: id, title };
  const tell = (progress: StepProgress) => onProgress?.({ ref, ...progress });
  const recipe: Recipe = {
    ref,
    goOn,
    store,
    by: 'controller',
    where,
    config: orders.config,
    masking: orders.masking,
    place: { kind: 'people', cwd: () => where.root },
    environment: { tell: where.warn },
    patience: 'wait',
    onQuestion: control.ask ?? (autoApprove ? yes : 'gate'),
    slots: (task) => (oneByOne(task) ? 1 : (control.parallel ?? maxConcurrentAgents)),
    order: async (step, task, env) => {
      const mine = { ...orders, where: { ...where, env } };
      if (step.sub) return packetOrder(step.sub, step, task, { orders: mine, onProgress: tell });
      return (step.kind === 'plan' ? planOrder : workerOrder)(step, task, mine);
    },
    plan: async (task, round) => dispatchOf(task, await nextPlanRound(task, round, store), store),
    notes: () => keptNotes(store, where, place),
    evidence: summaryFile,
    prove,
    signal: control.signal,
    onProgress,
  };
  return announced(ref, onProgress, () => runTask(claim, recipe));
}

/** The task's `autoApprove`: what an agent asks for within its permission is granted. */
const yes: NonNullable<RunControl['ask']> = async ({ options }) =>
  options.find(({ kind }) => kind === 'allow')?.id ?? '';
