import type { OnProgress } from '../../engine/progress.ts';
import type { Task } from '../../task/schema.ts';

/** What the retention policy makes of a packet. */
export interface Retained {
  id: string;
  /** Where it lay: among the packets, or in the archive. */
  from: 'task' | 'archive';
  action: 'archive' | 'delete' | 'keep';
  why: string;
}

export interface NewPacket {
  id?: string;
  goal: string;
  intent: string;
  request?: string;
  allow: readonly string[];
  deny: readonly string[];
  commands: readonly string[];
  criteria: readonly string[];
}

export interface Packet {
  id: string;
  /** From the root, with forward slashes. */
  dir: string;
  goal: string;
  intent: string;
  status: Task['status'];
  stages: StageView[];
  calls: { used: number; budget: number };
  /** It lies in the archive. */
  archived?: true;
  /** What it made did not pass its verification: to have it made anew, run it from here. */
  makeAnewFrom?: string;
  task: Task;
}

export interface StageView {
  stage: string;
  state: string;
  exitCode?: number;
  seconds?: number;
  /** Why it failed, or was undone. */
  reasons: string[];
}

/** What is to be run. */
export interface PacketWish {
  /** This stage alone. */
  stage?: string;
  /** Again from this stage on. */
  from?: string;
  /** All of it again. */
  force?: boolean;
  /** Another profile than the intent's. */
  plan?: string;
}

export interface RunPacketInput extends PacketWish {
  signal: AbortSignal;
  /** Nobody waits for it: while its provider cannot be reached it is blocked, and goes on later. Else it fails. */
  patient?: boolean;
  /** Before the first retry of an error; it doubles. */
  pauseMs?: number;
  /** Another task has it run: it has made everything ready, and tells people what they have to know. */
  within?: { tree: string };
  onProgress?: OnProgress | undefined;
}

export interface RanPacket extends Packet {
  interrupted: boolean;
  /** Where to look first. */
  summary: string;
}

export interface PacketPlan {
  profile: string;
  stages: { stage: string; model: string; runs: boolean; why: string }[];
}

export interface ReviewInput {
  contextPack: string;
  report: string;
  out: string;
  signal: AbortSignal;
  onProgress?: OnProgress | undefined;
}
