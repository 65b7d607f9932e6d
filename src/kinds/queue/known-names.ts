import { DocketError } from '../../errors.ts';
import type { Task } from '../../task/schema.ts';
import { intentIn } from '../../workflows/packet-workflow.ts';
import type { AddInput, AddPlaces } from '../add-input.ts';

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
