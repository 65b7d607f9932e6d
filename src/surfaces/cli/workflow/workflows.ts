import { resolve } from 'node:path';
import type { Workflows } from '../../../project/workflow/workflows.ts';
import { withDocket, type Context } from '../frame/context.ts';

export async function withWorkflows<T>(
  context: Context,
  use: (workflows: Workflows) => Promise<T>,
): Promise<T> {
  return withDocket(context, async (docket) => use(await docket.workflows()));
}

/** A person's path is meant from where they stand. */
export function workflowName(typed: string, { world }: Pick<Context, 'world'>): string {
  return /[/\\]|\.ya?ml$/i.test(typed) ? resolve(world.cwd, typed) : typed;
}
