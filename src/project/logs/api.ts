import type { AgentEvent } from '../../adapters/adapter.ts';
import type { KindName } from '../../task/kind-names.ts';
import type { Status } from '../../task/status.ts';

export interface LogQuery {
  /** Which, where more than one format has a task of that name. */
  of?: string;
  /** Only steps of this name, also their later passes. */
  step?: string;
  attempt?: number;
  /** The lines as they stand in the files, and what went to stderr. */
  raw?: boolean;
  /** Also what comes, until the task ends or waits for a person. */
  follow?: boolean;
  signal: AbortSignal;
}

/** One thing that an agent said or did, or that became of its task. */
export type LogEntry = { layout: KindName; task: string } & (
  | { kind: 'event'; step: string; attempt: number; event: AgentEvent }
  | { kind: 'line'; step: string; attempt: number; stream: 'stdout' | 'stderr'; text: string }
  /** As it is now, and why: while following, and at the end where it waits for somebody. */
  | { kind: 'status'; status: Status; text: string }
);
