import { DocketError } from '../errors.ts';
import type { Agent } from './agent.ts';

/** Refuses to start an agent that cannot be held to what it may do. It never gets more than that in silence. */
export function assertHeld(agent: Agent): void {
  const { adapter, permission, sandbox, name } = agent;
  if (sandbox !== 'none' || adapter.capabilities.permissions[permission] !== 'none') return;
  throw new DocketError(
    'REFUSED',
    `agent ${name} cannot be held to "${permission}": the ${adapter.name} adapter has no means for it`,
    `set "sandbox: bubblewrap" or "permission: full" for agents.${name}, or use another agent`,
    { agent: name, adapter: adapter.name, permission },
  );
}
