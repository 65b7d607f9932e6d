import type { KindName } from '../kinds/names.ts';
import { knownAgents } from './agents.ts';
import { readConfig } from './config.ts';
import { taskNames } from './find.ts';
import type { Where } from './one-store.ts';
import { listWorkflows } from './workflow/list.ts';

/** What a word of the command line can be the name of: a task of one kind, of any, an agent, a workflow. */
export type NameSource = KindName | 'any' | 'agent' | 'workflow';

export async function namesFor(
  source: NameSource,
  where: Pick<Where, 'root' | 'env' | 'clock'>,
): Promise<string[]> {
  if (source === 'agent') return [...knownAgents(await readConfig(where.root, where.env)).keys()];
  if (source === 'workflow') return listWorkflows(where).workflows.map(({ name }) => name);
  return taskNames(where, source === 'any' ? undefined : source);
}
