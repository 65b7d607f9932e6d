import type { Question } from '../../adapters/adapter.ts';
import { blockReasonFor, Held } from '../../engine/blocking-errors.ts';
import { type Use, useWorkspace } from '../../engine/environment/use.ts';
import type { Masking } from '../../engine/masking.ts';
import { announced, type OnProgress, type Progress, type TaskRef } from '../../engine/progress.ts';
import type { Entry } from '../../engine/recorder.ts';
import { TreeTrail } from '../../engine/tree-trail.ts';
import { command } from '../../errors/command.ts';
import { iso } from '../../io/clock.ts';
import type { Config } from '../../settings/config.ts';
import { environmentKey } from '../../settings/environment.ts';
import { acceptanceCommands } from '../../settings/prove.ts';
import { executeTogether } from '../../store/execute.ts';
import type { Claim, Store } from '../../store/store.ts';
import type { Command } from '../../task/command.ts';
import type { Task } from '../../task/schema.ts';
import { hasCircle } from '../../workflow/circles.ts';
import type { Check } from '../../workflow/graph.ts';
import { nodeOf } from '../../workflow/next.ts';
import { assertWanted, flowBack } from '../bridges/flow-back.ts';
import { refused } from '../refused.ts';
import { runTask } from '../run-task.ts';
import { beginning } from './begin.ts';
import { bodyOf } from './body.ts';
import { type CompiledWorkflows, freeze, frozen, withoutSecrets } from './compiled.ts';
import { follow, handedOver, queueProver } from './follow.ts';
import { callName, notedOf, ownOf, withNoted } from './format/record.ts';
import type { QueueProject } from './kind.ts';
import { RunFolder, runSlugFor, sessionLog } from './run-folder.ts';
import type { Staff } from './staff.ts';
import { answerOf, stepOrder } from './step-order.ts';
import type { TaskRun } from './task-run.ts';
import { Watched } from './watched-tree.ts';
import { prepareWorkspace } from './workspace.ts';

export interface WorkOptions {
  places: QueueProject;
  store: Store;
  config: Config;
  masking: Masking;
  staff: Staff;
  workflows: CompiledWorkflows;
  owner: string;
  signal: AbortSignal;
  onProgress?: OnProgress | undefined;
  ask?: (question: Question) => Promise<string>;
}

/** A claimed task of the queue, from its workspace to the end that the place it came from hears of. */
export function workOnTask(claim: Claim, options: WorkOptions): Promise<Task> {
  const { task } = claim;
  const { name } = ownOf(task);
  const ref: TaskRef = { kind: 'queue', id: task.id, name, title: options.masking.text(task.title) };
  return announced(ref, options.onProgress, async () => {
    const after = await worked(claim, ref, options);
    await flowBack(options.places, after, options.signal);
    return after;
  });
}

async function worked(claim: Claim, ref: TaskRef, options: WorkOptions): Promise<Task> {
  const { store, places, owner, signal } = options;
  let run: TaskRun;
  let use: Use | undefined;
  try {
    use = await inUse(claim.task, places, signal);
    signal.throwIfAborted();
    run = await prepared(claim, options);
  } catch (error) {
    use?.release();
    return givenBack(claim, error, options);
  }
  const log = sessionLog(run, claim.task);
  const told = (progress: Progress): void => {
    log.tell(progress);
    options.onProgress?.(progress);
  };
  const { task } = claim;
  const name = callName(task);
  const about = { ref, step: task.id, title: name, role: '', agent: '' };
  const { workspace } = run;
  try {
    return await runTask(claim, {
      ref,
      goOn: String(command`retry ${name}`),
      store,
      by: owner,
      where: { ...places, warn: places.warn ?? (() => undefined) },
      config: run.config,
      masking: run.masking,
      place: { kind: workspace === undefined ? 'people' : 'own', cwd: () => run.cwd },
      environment: {
        changed: () => run.tree.forget(), // what a command makes is not the first agent's work
        tell: (text) => told({ ...about, kind: 'event', attempt: 0, event: { type: 'warning', text } }),
        ...(workspace !== undefined && { workspace: { place: workspace, id: task.id } }),
      },
      patience: 'wait',
      isToldOutside: true,
      onQuestion: options.ask ?? 'gate',
      slots: (now) => slotsOf(now, run),
      order: (step, now, env) =>
        stepOrder(step, now, { ...run, env, onProgress: (progress) => told({ ref, ...progress }) }).catch(
          waitsForPerson,
        ),
      next: (now) =>
        follow(run.graph, now, {
          done: (finished, proved) => handedOver(finished, run, proved),
          lastMessage: (finished) => lastMessage(finished, run),
        }),
      evidence: run.folder.reportDir,
      prove: run.prover,
      monitors: run.graph.monitors,
      onNotice: (note, now) => run.prover.saw(now, '', { kind: 'tree', what: 'refs', ok: null, note }),
      signal,
      onProgress: told,
    });
  } finally {
    log.end(await store.get(claim.task.id));
    run.folder.close();
    use?.release();
  }
}

/** Everything that a run needs is made before its first step is paid for; each part may have been made before. */
async function prepared(claim: Claim, options: WorkOptions): Promise<TaskRun> {
  const { places, store, config, masking, staff, signal } = options;
  const { task } = claim;
  const { root } = places;
  await assertWanted(places, task, signal);
  const body = await bodyOf(root, store, task);
  const kept = await frozen(store, task.run);
  const find = async () => {
    const name = task.spec.workflow ?? config.workflow ?? 'quick';
    const graph = withoutSecrets(options.workflows.find(name, acceptanceOf(task, config)), masking);
    return { graph, text: await freeze(store, graph) };
  };
  const begun = await beginning(task, { kept, find });
  const workspace = await prepareWorkspace(task, places, config, (noted) =>
    written(claim, noting(task, noted), options),
  );
  const tree = new Watched(workspace.cwd, places.dir, task.id, workspace.isClone);
  tree.early(workspace.state);
  const circles = config.loopAfter !== 0 && hasCircle(begun.graph);
  if (circles) {
    const below = { base: places.dir, below: ['attempts', task.id] };
    const last = task.run?.trail?.findLast((end) => end.tree !== undefined)?.tree;
    tree.follow(new TreeTrail(workspace.cwd, below, masking), last);
  }
  const runSlug = runSlugFor(task, root);
  await written(
    claim,
    [...begun.entries, ...noting(task, { ...begun.note, ...workspace.noted, runSlug })],
    options,
  );
  const folder = new RunFolder(root, runSlug);
  folder.stage(masking.text(body));
  const run: Omit<TaskRun, 'prover'> = {
    places,
    store,
    config,
    graph: begun.graph,
    cwd: workspace.cwd,
    ...(workspace.noted.workspace !== undefined && { workspace: workspace.noted.workspace }),
    env: places.env,
    body,
    folder,
    tree,
    circles,
    signal,
    masking,
    agentFor: (node, now) => staff.for(node, now),
  };
  return { ...run, prover: queueProver(task, run) };
}

/** What a person has to mend before a step can begin is no failure of the step: it goes on when that is done. */
function waitsForPerson(error: unknown): never {
  const reason = blockReasonFor(error);
  throw reason ? new Held(reason) : error;
}

function noting(task: Task, set: Parameters<typeof withNoted>[1]): Entry[] {
  const extras = withNoted(task.extras, set);
  const before = JSON.stringify(withNoted(task.extras, notedOf(task)));
  return JSON.stringify(extras) === before ? [] : [{ type: 'edit', set: { extras } }];
}

async function written(
  { task, token }: Claim,
  entries: readonly Entry[],
  options: WorkOptions,
): Promise<void> {
  const { store, owner, places, masking } = options;
  const commands = masking
    .value(entries)
    .map((entry) => ({ ...entry, id: task.id, by: owner, token }) as Command);
  if (commands.length === 0) return;
  const done = await executeTogether(store, task.id, commands, iso(places.clock));
  if (!done.ok) throw refused(done.refusal, task.id);
}

/** It could not even begin: a person has to see to it, or docket was stopped, or the machine is in trouble. */
async function givenBack(claim: Claim, error: unknown, options: WorkOptions): Promise<Task> {
  const { store, signal } = options;
  const reason = blockReasonFor(error);
  try {
    if (!reason && !signal.aborted) throw error;
    const entry: Entry =
      signal.aborted || !reason
        ? { type: 'requeue', reason: 'docket was interrupted' }
        : { type: 'settle', verdict: { kind: 'hold', reason }, summary: '' };
    await written(claim, [entry], options);
    return (await store.get(claim.task.id)) ?? claim.task;
  } finally {
    await claim.release().catch(() => undefined); // what was decided stands; the lock goes with the store
  }
}

/** Only a step with parts has more than one agent at work. */
function slotsOf(task: Task, { graph }: TaskRun): number {
  const last = task.run?.steps.at(-1);
  return (last && nodeOf(graph, last)?.slots) ?? Infinity;
}

const longestMessage = 2000;

function lastMessage(task: Task, run: TaskRun): string | undefined {
  const last = task.run?.steps.at(-1);
  return last && answerOf(last, task, run)?.text.trim().slice(-longestMessage);
}

/** A task's workspace, from before it is made until nobody works in it any more: nobody takes it away meanwhile. */
async function inUse(
  { id, spec: { workspace } }: Task,
  { root }: Pick<QueueProject, 'root'>,
  signal: AbortSignal,
): Promise<Use | undefined> {
  if (workspace === undefined || workspace.kind === 'inplace') return undefined;
  return useWorkspace(root, environmentKey('queue', id), signal);
}

/** The commands that prove a task: its own, then the project's. */
function acceptanceOf(task: Task, config: Pick<Config, 'acceptance'>): Check[] {
  return acceptanceCommands(task, config).map((command) => ({ name: command, command }));
}
