import { DocketError } from '../../errors.ts';
import type { Task } from '../../task/schema.ts';
import type { AddPlaces } from '../add-input.ts';

type Here = Pick<AddPlaces, 'root' | 'env'>;

/** A workflow may be written after the task that names it: what nobody knows yet is worth a word, not a refusal. */
export async function warnUnknown(
  workflow: string,
  startStep: string | undefined,
  { warn, ...here }: AddPlaces,
): Promise<void> {
  try {
    if (startStep !== undefined) return await assertStep(workflow, startStep, here);
    const { findSource } = await import('../workflow/find.ts');
    findSource(workflow, here);
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    warn(`${error.message} (${error.fix})`);
  }
}

/** The task's workflow as it is now has this step: it will be run with that one. */
export async function assertStepOf({ spec }: Task, step: string, here: Here): Promise<void> {
  const { readConfig } = await import('../config.ts');
  const workflow = spec.workflow ?? (await readConfig(here.root, here.env)).workflow ?? 'quick';
  await assertStep(workflow, step, here);
}

async function assertStep(workflow: string, step: string, { root, env }: Here): Promise<void> {
  const [{ findWorkflow }, { nodeNamed }] = await Promise.all([
    import('../workflow/find.ts'),
    import('./begin.ts'),
  ]);
  nodeNamed(findWorkflow(workflow, { root, env }), step);
}
