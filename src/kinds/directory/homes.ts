import type { Agent } from '../../adapters/agent.ts';
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
  const instance = agent.adapter.linkSettings && homeInstance(task, step);
  if (instance === undefined) return agent;
  const home = makeOwnFolder(dir, 'agents', instance, `${agent.adapter.name}_home`);
  agent.adapter.linkSettings?.({ env, home });
  return { ...agent, home };
}
