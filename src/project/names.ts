import { knownAgents } from '../settings/agents.ts';
import type { Project } from '../settings/project.ts';
import { readConfig } from '../settings/read-config.ts';
import type { KindName } from '../task/kind-names.ts';
import { taskNames } from './tasks/find.ts';
import { listWorkflows } from './workflow/list.ts';

/** What a word of the command line can be the name of: a task of one kind, of any, an agent, a workflow. */
export type NameSource = KindName | 'any' | 'agent' | 'workflow';

export async function namesFor(
  source: NameSource,
  where: Pick<Project, 'root' | 'env' | 'clock'>,
): Promise<string[]> {
  if (source === 'agent') return [...knownAgents(await readConfig(where.root, where.env)).keys()];
  if (source === 'workflow') return listWorkflows(where).workflows.map(({ name }) => name);
  return taskNames(where, source === 'any' ? undefined : source);
}
