import type { AgentEvent } from '../adapters/adapter.ts';
import type { Agent, Confinement } from '../adapters/agent.ts';
import { openGateway, type Gateway } from '../io/network/gateway.ts';
import { hostIn } from '../io/network/hosts.ts';
import { gatewaySocket } from './outfit.ts';

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
