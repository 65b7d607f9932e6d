import type { Question } from '../../adapter/adapter.ts';
import { bodyOf } from '../../app/body.ts';
import { assertWanted } from '../../app/bridge/flow-back.ts';
import { holdsFor } from '../../app/foreman.ts';
import { loopsFor } from '../../app/loops.ts';
import { refused } from '../../app/refused.ts';
import type { Places } from '../../app/run.ts';
import type { Config } from '../../config.ts';
import { guardOf } from '../../engine/guard.ts';
import { Held } from '../../engine/held.ts';
import type { Masking } from '../../engine/masking.ts';
import type { Entry } from '../../engine/recorder.ts';
import { runWorkflow, type StepProgress } from '../../engine/run-workflow.ts';
import type { Use } from '../../engine/setting-use.ts';
import { needsPerson } from '../../engine/setup.ts';
import { TreeTrail } from '../../engine/tree-trail.ts';
import { iso } from '../../io/clock.ts';
import { executeTogether } from '../../store/execute-together.ts';
import type { Store, Claim } from '../../store/store.ts';
import type { Command } from '../../task/command.ts';
import type { Task } from '../../task/schema.ts';
import { hasCircle } from '../../workflow/circles.ts';
import { nodeOf } from '../../workflow/next.ts';
import { acceptanceOf } from './acceptance.ts';
import { beginning } from './begin.ts';
import type { CompiledWorkflows } from './compiled.ts';
import { follow } from './follow.ts';
import { notedOf, withNoted } from './format/noted.ts';
import { freeze, frozen, withoutSecrets } from './frozen.ts';
import { handedOver } from './hand-over.ts';
import { queueProver } from './proof.ts';
import { RunFolder } from './run-folder.ts';
import { runSlugFor } from './run-slug.ts';
import { sessionLog } from './session-log.ts';
import { inUse, queueSetting } from './setting.ts';
import type { Staff } from './staff.ts';
import { answerOf } from './step-context.ts';
import { stepOrder } from './step-order.ts';
import type { TaskRun } from './task-run.ts';
import { Watched } from './watched-tree.ts';
import { prepareWorkspace } from './workspace.ts';

export interface WorkOptions {
  places: Places;
  store: Store;
  config: Config;
  masking: Masking;
  staff: Staff;
  workflows: CompiledWorkflows;
  owner: string;
  signal: AbortSignal;
  onProgress?: (progress: StepProgress) => void;
  ask?: (question: Question) => Promise<string>;
}

/** A claimed task of the queue, from its workspace to its end. Returns the task as it is then. */
export async function workOnTask(claim: Claim, options: WorkOptions): Promise<Task> {
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
  const told = (progress: StepProgress): void => {
    log.step(progress);
    options.onProgress?.(progress);
  };
  const setting = queueSetting(claim.task, run, told);
  try {
    return await runWorkflow(claim, {
      store,
      by: owner,
      slots: (task) => slotsOf(task, run),
      order: (step, task, env) =>
        stepOrder(step, task, { ...run, env, onProgress: told }).catch(waitsForPerson),
      next: (task) =>
        follow(run.graph, task, {
          done: (finished, proved) => handedOver(finished, run, proved),
          lastMessage: (finished) => lastMessage(finished, run),
        }),
      notes: async () => undefined,
      evidence: run.folder.reportDir,
      env: run.env,
      ...(setting && { setting }),
      signal,
      now: () => places.clock.now(),
      holds: run.holds,
      masking: run.masking,
      guard: guardOf({
        root: places.root,
        task: claim.task.id,
        masking: run.masking,
        goOn: `docket retry ${claim.task.id}`,
        isApart: run.workspace !== undefined,
        onNotice: (note, task) => run.prover.saw(task, '', { kind: 'tree', what: 'refs', ok: null, note }),
      }),
      prove: run.prover,
      loops: loopsFor(run.config, `docket retry ${claim.task.id} --note "…"`, run.graph.monitors),
      onProgress: told,
      ...(options.ask && { ask: options.ask }),
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
    holds: holdsFor(places, config),
    masking,
    agentFor: (node, now) => staff.for(node, now),
  };
  return { ...run, prover: queueProver(task, run) };
}

/** What a person has to mend before a step can begin is no failure of the step: it goes on when that is done. */
function waitsForPerson(error: unknown): never {
  const reason = needsPerson(error);
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
  const reason = needsPerson(error);
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
