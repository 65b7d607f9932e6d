import { DocketError } from '../errors.ts';
import type { Adapter, Permission } from './adapter.ts';

/** How long an attempt may take, be silent, and say. Milliseconds and bytes. */
export interface Limits {
  wallMs: number;
  silenceMs: number;
  /** While a tool is at work, or where the agent does not say when one is: a long build is no stall. */
  toolSilenceMs: number;
  graceMs: number;
  outputBytes: number;
}

/** US dollars for a million tokens. */
export interface Price {
  input: number;
  cached?: number;
  output: number;
}

/** What an agent is held to for a task that nobody vouches for. */
export interface Confinement {
  /** In the outer sandbox with its own permission, or reading only. */
  low: 'sandbox' | 'read';
  /** Whom it may talk to. */
  hosts: readonly string[];
  /** Names in its vendor's folders that stay as they are. */
  settings: readonly string[];
  /** Which variables it gets, beside those of every program. */
  env: (name: string) => boolean;
  /** What it may read of people's folders. */
  paths: readonly string[];
  /** The project; absent: where it works. */
  root?: string;
}

/** An adapter with the settings that a user gave it, under the name that the user gave it. */
export interface Agent {
  name: string;
  adapter: Adapter;
  /** Whose limits it shares with others: an account of a vendor, or a program of this project. */
  provider: string;
  permission: Permission;
  limits: Limits;
  /** Beside what the adapter passes on; complete values. */
  env: Readonly<Record<string, string>>;
  sandbox: 'none' | 'bubblewrap';
  network: boolean;
  approvals: boolean;
  command?: readonly string[];
  model?: string;
  effort?: string;
  approvalMode?: string;
  ownSandbox?: boolean;
  home?: string;
  confinement?: Confinement;
  price?: Price;
  /** What a plain program prints passes for a report of success, also where a report is asked for. */
  report?: 'text' | 'json';
  /** Its calls cost nothing: it is a program, and no model is behind it. */
  free?: boolean;
}

const minute = 60_000;

export const defaultLimits: Limits = {
  wallMs: 120 * minute,
  silenceMs: 10 * minute,
  toolSilenceMs: 60 * minute,
  graceMs: 5_000,
  outputBytes: 1024 ** 3,
};

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
