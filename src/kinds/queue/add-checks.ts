import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import type { Store } from '../../store/store.ts';
import type { Fields } from '../../task/json.ts';
import { linkText } from '../../task/link.ts';
import type { Task } from '../../task/schema.ts';
import { intentIn } from '../../workflows/packet-workflow.ts';
import type { AddInput, AddPlaces } from '../add-input.ts';
import { describe } from './format/describe.ts';
import { ownOf } from './format/record.ts';
import { branchProblem } from './format/rules.ts';

/** What `docket add` was told about a task beside its text, in the words of its record. Checked: nothing makes no sense. */
export function recordFields(input: AddInput, slug: string, issue: number | undefined): Fields {
  const { branch, base, startStep, autoPr, draftPr } = input;
  assertBranch('--branch', branch);
  assertBranch('--base', base);
  const pullRequest = autoPr === true || draftPr === true;
  if (pullRequest && input.worktree === undefined) {
    throw invalid('a pull request needs a branch of its own, and work in place has none', 'add --worktree');
  }
  return {
    slug,
    ...(branch !== undefined && { branch }),
    ...(base !== undefined && { base_branch: base }),
    ...(pullRequest && { auto_pr: true }),
    ...(draftPr === true && { draft_pr: true }),
    ...(issue !== undefined && { issue }),
    ...(startStep !== undefined && { start_movement: startStep }),
    ...(input.needs?.length && { needs: [...input.needs] }),
  };
}

export function assertPriority(priority: number): void {
  if (Number.isInteger(priority) && Math.abs(priority) <= 100) return;
  throw invalid(
    `--priority ${priority} is not a whole number from -100 to 100`,
    'leave --priority out for ordinary work (0), or give a higher number for urgent work: --priority 10',
  );
}

function assertBranch(option: string, name: string | undefined): void {
  const problem = name === undefined ? undefined : branchProblem(name);
  if (problem === undefined) return;
  throw invalid(
    `${option} ${JSON.stringify(name)} is no branch for git: it ${problem}`,
    `write one such as ${option} fix/login`,
  );
}

function invalid(message: string, fix: string): DocketError {
  return new DocketError('INVALID', message, fix);
}

/** What two tasks must not work on at once. */
export type Target = readonly [key: 'issue' | 'branch' | 'from', value: string | number];

/**
 * Refuses a second task for an issue or branch while another one waits or runs. The answer is a key for the new task's
 * commit: two adds at the same moment see the same earlier tasks, have the same key, and only one of them commits.
 */
export async function assertFreeTargets(store: Store, targets: readonly Target[]): Promise<string> {
  const earlier = (await store.list({ removed: true })).filter((task) =>
    targets.some((target) => isOn(task, target)),
  );
  for (const task of earlier) refuseActive(task, targets);
  const last = earlier.map(({ id }) => id).toSorted();
  return `target:${targets.map(([key, value]) => `${key}=${value}`).join(',')} after ${last.at(-1) ?? 'none'}`;
}

function isOn(task: Task, [key, value]: Target): boolean {
  if (key !== 'from') return ownOf(task).kept[key] === value;
  return task.standsFor !== undefined && linkText(task.standsFor) === value;
}

/** In the words of the format: a task that only waits for time or for another is still pending there. */
function refuseActive(task: Task, targets: readonly Target[]): void {
  const status = describe(task)?.['status'];
  if (status !== 'pending' && status !== 'running') return;
  const { name } = ownOf(task);
  const [key, value] = targets.find((target) => isOn(task, target)) ?? ['task', task.id];
  throw new DocketError(
    'REFUSED',
    `Active task target already exists: ${key}=${value} (${name}, ${status})`,
    fix`look at it: ${command`show ${task.id}`}; or add a second one on purpose with --again`,
    { id: task.id, name, target: { [key]: value } },
  );
}

type Here = Pick<AddPlaces, 'root' | 'env'>;

/** What a new task names is there: a slip is found by whoever makes it, not by the run at night. */
export async function assertKnownNames(input: AddInput, places: AddPlaces): Promise<void> {
  const { agent, base, needs = [] } = input;
  if (agent !== undefined) await assertAgent(agent, places);
  // A task that it waits for may make the branch.
  if (base !== undefined && needs.length === 0) await assertBase(base, places);
  if (input.workflow !== undefined || input.startStep !== undefined) await assertWorkflow(input, places);
}

async function assertAgent(name: string, { root, env }: Here): Promise<void> {
  const [{ assertKnownAgent }, { readConfig }] = await Promise.all([
    import('../../settings/agents.ts'),
    import('../../settings/read-config.ts'),
  ]);
  assertKnownAgent(name, await readConfig(root, env));
}

async function assertBase(base: string, { root }: Here): Promise<void> {
  const { commitOf } = await import('../../workspace/branch.ts');
  if ((await commitOf(root, base)) !== undefined) return;
  throw new DocketError(
    'NOT_FOUND',
    `there is no branch "${base}" to begin from`,
    'see "git branch --all"; a branch that another task will make goes with --needs',
    { base },
  );
}

/** A workflow may be written after the task that names it: one that is not there yet is worth a word, not a refusal. */
async function assertWorkflow({ workflow, startStep }: AddInput, places: AddPlaces): Promise<void> {
  const name = workflow ?? (await usualWorkflow(places));
  const intent = intentIn(name);
  if (intent !== undefined)
    return (await import('../bridges/packet-intents.ts')).assertIntent(intent, places);
  try {
    const { findSource } = await import('../../workflows/find.ts');
    findSource(name, places);
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    return places.warn(`${error.message} (${error.fix})`);
  }
  if (startStep !== undefined) await assertStep(name, startStep, places);
}

/** The task's workflow as it is now has this step: it will be run with that one. */
export async function assertStepOf({ spec }: Task, step: string, here: Here): Promise<void> {
  await assertStep(spec.workflow ?? (await usualWorkflow(here)), step, here);
}

async function usualWorkflow({ root, env }: Here): Promise<string> {
  const { readConfig } = await import('../../settings/read-config.ts');
  return (await readConfig(root, env)).workflow ?? 'quick';
}

async function assertStep(workflow: string, step: string, { root, env }: Here): Promise<void> {
  const [{ findWorkflow }, { nodeNamed }] = await Promise.all([
    import('../../workflows/find.ts'),
    import('./begin.ts'),
  ]);
  nodeNamed(findWorkflow(workflow, { root, env }), step);
}
