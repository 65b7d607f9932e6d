import type { AgentEvent } from '../adapters/adapter.ts';
import type { Agent, Confinement } from '../adapters/agent.ts';
import { DocketError } from '../errors.ts';
import { command, fix } from '../errors/command.ts';
import { type Gateway, openGateway } from '../io/network/gateway.ts';
import { hostIn } from '../io/network/hosts.ts';
import { canSandbox } from '../io/process/sandbox.ts';
import { gatewaySocket } from './agent-command.ts';

/** An agent that is held to what a task may have which nobody vouches for. */
type ConfinedAgent = Agent & { confined: Confinement };

/**
 * The agent for a task of low trust: in the outer sandbox, without a network but for its provider. Where there is no
 * sandbox it may only read, if its vendor holds it to that; else it does not run at all.
 */
export async function confinedAgent(agent: Agent, taskId: string): Promise<ConfinedAgent> {
  const { confinement: confined = strictest, name, adapter } = agent;
  const permission = confined.low === 'read' ? 'read' : agent.permission;
  if (await canSandbox())
    return { ...agent, confined, permission, sandbox: 'bubblewrap', network: false, approvals: false };
  if (adapter.capabilities.permissions.read !== 'none')
    return { ...agent, confined, permission: 'read', sandbox: 'none', approvals: false };
  throw new DocketError(
    'REFUSED',
    `this task comes from somebody whom nobody vouches for, and agent ${name} cannot be held here: bubblewrap does not work, and the ${adapter.name} adapter cannot hold it to reading`,
    fix`install bubblewrap; or read the task, and if you vouch for it: ${command`trust ${taskId} high`}`,
    { agent: name, adapter: adapter.name, problem: 'trust' },
  );
}

/** Nothing that it does to its work tree is meant. */
export async function mayOnlyRead({ confinement = strictest }: Agent): Promise<boolean> {
  return confinement.low === 'read' || !(await canSandbox());
}

const strictest: Confinement = { low: 'sandbox', hosts: [], settings: [], env: () => false, paths: [] };

const mostTold = 20;

/** The way to its provider of an agent that has no network, for as long as it runs; and what else it tried to reach. */
export class ProviderOnly {
  #gateway: Gateway | undefined;
  readonly #refused = new Map<string, number>();

  /** Also for one that an earlier docket started: it looks for us at the same place. */
  async open(
    { confined, sandbox }: Agent & { confined?: Confinement },
    mark: string,
    env: Readonly<Record<string, string | undefined>>,
  ): Promise<void> {
    if (!confined || sandbox === 'none' || this.#gateway) return;
    this.#gateway = await openGateway({
      socket: gatewaySocket(mark),
      allowed: confined.hosts.flatMap((host) => hostIn(host) ?? []),
      env,
      onRefused: (what) => {
        if (this.#refused.size < mostTold || this.#refused.has(what))
          this.#refused.set(what, (this.#refused.get(what) ?? 0) + 1);
      },
    });
  }

  denied(): AgentEvent[] {
    return [...this.#refused].map(([what, times]) => ({
      type: 'denied',
      text: `it tried to reach ${what}${times > 1 ? ` (${times} times)` : ''}, which is not its provider`,
    }));
  }

  close(): void {
    this.#gateway?.close();
  }
}
