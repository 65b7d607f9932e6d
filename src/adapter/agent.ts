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

/** An adapter with the settings that a user gave it, under the name that the user gave it. */
export interface Agent {
  name: string;
  adapter: Adapter;
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
  price?: Price;
}

const minute = 60_000;

export const defaultLimits: Limits = {
  wallMs: 120 * minute,
  silenceMs: 10 * minute,
  toolSilenceMs: 60 * minute,
  graceMs: 5_000,
  outputBytes: 1024 ** 3,
};
