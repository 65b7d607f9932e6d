import path from 'node:path';
import type { Agent } from '../../adapter/agent.ts';
import { userHome } from '../../adapter/home.ts';
import { exists, linkUnlessThere } from '../../io/links.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import type { Task } from '../../task/schema.ts';
import { homeInstance } from './format/home.ts';
import type { TaskPlace } from './place.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The agent with a vendor home of this instance's own, where its format wants one and nobody named another. The login
 * comes by a link (the adapter sees to it), and so do the user's settings, without which it might not find its model.
 */
export function withHome(agent: Agent, task: Task, step: string, { dir, own }: TaskPlace, env: Env): Agent {
  if (agent.home !== undefined) return agent;
  // One for all: what one of them began, another may fork.
  if (agent.adapter.name === 'script') return { ...agent, home: makeOwnFolder(own, 'script') };
  if (agent.adapter.name !== 'codex') return agent;
  const instance = homeInstance(task, step);
  if (instance === undefined) return agent;
  const home = makeOwnFolder(dir, 'agents', instance, 'codex_home');
  const users = env['CODEX_HOME'] || path.join(userHome(env) ?? '/', '.codex');
  const settings = path.join(users, 'config.toml');
  if (exists(settings)) linkUnlessThere(settings, path.join(home, 'config.toml'));
  return { ...agent, home };
}
