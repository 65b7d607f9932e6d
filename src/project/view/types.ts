import type { NextStep } from '../../render/explain/types.ts';
import type { KindName } from '../../task/kind-names.ts';
import type { Status } from '../../task/status.ts';
import type { Used } from '../../task/used-schema.ts';

/** Everything of a workspace at one moment, what is stuck first. */
export interface View {
  at: string;
  root: string;
  /** Those that are there. */
  layouts: LayoutCount[];
  /** What cannot be read, and how it is mended. */
  findings: ViewFinding[];
  /** Nothing goes on with these by itself, though they are not over. The oldest first, as below. */
  stuck: Item[];
  /** Only a person can do these. */
  needs: Item[];
  /** Somebody who lives is at work on them. */
  running: Item[];
  /** Those that are next come first. */
  waiting: Item[];
  /** The latest first, and only some. */
  ended: Item[];
  /** How many of them are left out. */
  more: { failed: number; waiting: number };
  cost?: { today: Cost; all: Cost };
  parked: ParkedProvider[];
}

export interface LayoutCount {
  layout: KindName;
  tasks: number;
  counts: Partial<Record<Status, number>>;
}

export interface ViewFinding {
  layout: KindName | 'meter';
  path: string;
  message: string;
  fix: string;
  /** The words of the command that answers it. Absent: validate. */
  next?: readonly string[];
}

export interface Item {
  layout: KindName;
  id: string;
  /** What people call it in this format's commands. */
  name: string;
  title: string;
  status: Status;
  /** When it became as it is. */
  since: string;
  why: Why;
  /** The command that goes on with it. */
  next?: NextStep;
  /** Of what needs a person: the same as long as it is the same need. */
  key?: string;
  owner?: string;
  step?: string;
  agent?: string;
  attempt?: number;
  /** By calls that have ended. Absent: nothing yet. */
  used?: Used;
  /** It is done by the word of a file or another tool only. */
  unproved?: true;
}

export interface Why {
  /** Of a task that is blocked one of the published kinds; else what it waits for: `why-not.ts`. */
  kind: string;
  text: string;
  who?: string;
  until?: string;
  /** Ids of what it waits for itself and that nothing takes up again. Absent: there is none, or it is further behind. */
  on?: string[];
}

/** What calls have cost. What nobody told is counted, and never taken for nothing. */
export interface Cost {
  calls: number;
  tokens: number;
  money: number;
  /** Of the calls: whose tokens, and whose price, nobody knows. */
  untold: number;
  unpriced: number;
  /** At work. */
  open: number;
  /** Their docket died, and nobody knows what they used. */
  lost: number;
}

export interface ParkedProvider {
  provider: string;
  kind: 'limit' | 'provider';
  reason: string;
  since: string;
  until: string;
  /** The provider said so; else it is our guess. */
  told: boolean;
  /** Somebody tries it now. */
  tried: boolean;
}
