import type { Agent, Confinement } from '../adapters/agent.ts';
import { DocketError } from '../errors.ts';
import { canSandbox } from '../io/process/sandbox.ts';

/** An agent that is held to what a task may have which nobody vouches for. */
export type Lowered = Agent & { confined: Confinement };

/**
 * The agent for a task of low trust: in the outer sandbox, without a network but for its provider. Where there is no
 * sandbox it may only read, if its vendor holds it to that; else it does not run at all.
 */
export async function lowered(agent: Agent, taskId: string): Promise<Lowered> {
  const { confinement: confined = strictest, name, adapter } = agent;
  const permission = confined.low === 'read' ? 'read' : agent.permission;
  if (await canSandbox())
    return { ...agent, confined, permission, sandbox: 'bubblewrap', network: false, approvals: false };
  if (adapter.capabilities.permissions.read !== 'none')
    return { ...agent, confined, permission: 'read', sandbox: 'none', approvals: false };
  throw new DocketError(
    'REFUSED',
    `this task comes from somebody whom nobody vouches for, and agent ${name} cannot be held here: bubblewrap does not work, and the ${adapter.name} adapter cannot hold it to reading`,
    `install bubblewrap; or read the task, and if you vouch for it: docket trust ${taskId} high`,
    { agent: name, adapter: adapter.name, problem: 'trust' },
  );
}

/** Nothing that it does to its work tree is meant. */
export async function mayOnlyRead({ confinement = strictest }: Agent): Promise<boolean> {
  return confinement.low === 'read' || !(await canSandbox());
}

const strictest: Confinement = { low: 'sandbox', hosts: [], settings: [], env: () => false, paths: [] };
