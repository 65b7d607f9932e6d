import type { Project } from '../../settings/project.ts';
import { readConfig } from '../../settings/read-config.ts';
import { trustIn } from '../../settings/trust.ts';
import type { Trust } from '../../task/schema.ts';

/**
 * How far the words of an agent are trusted. Its name is noted and not looked up among the people whom the settings vouch
 * for: who starts it chooses the name, and that may be an agent.
 */
export async function trustOfAgent(where: Project, author: string): Promise<Trust> {
  const { level = 'low' } = trustIn({ source: 'agent' }, await readConfig(where.root, where.env)) ?? {};
  return { level, source: 'agent', author };
}
