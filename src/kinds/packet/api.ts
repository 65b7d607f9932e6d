import type { OnProgress } from '../../engine/progress.ts';
import type { Finding } from '../../store/store.ts';
import type { Task } from '../../task/schema.ts';

/** Task packets (`.tmp/task/<id>/`), one store each. What only reads changes no byte. */
export interface Packets {
  /** Makes the folder with a manifest that teaches, and the request. */
  make(input: NewPacket): Promise<Packet>;
  /** The id of the packet in this folder (absolute), which may lie anywhere in the project; it is noted from then on. */
  at(folder: string): Promise<string>;
  list(input?: { archived?: boolean }): Promise<{ packets: Packet[]; findings: Finding[] }>;
  /** Also one that is archived. */
  show(id: string): Promise<Packet>;
  /** Runs its stages from the first that is not done, or whose inputs have changed. */
  run(id: string, input: RunPacketInput): Promise<RanPacket>;
  /** What a run would do, stage by stage, and why. Changes nothing. */
  plan(id: string, wish: PacketWish): Promise<PacketPlan>;
  /** Gives it up, and ends the agent that works on it. */
  cancel(id: string, input: { reason?: string }): Promise<Packet>;
  /** Moves it to `.tmp/archive/<id>/`, never over another. `force`: also what is not finished. */
  archive(
    ids: readonly string[] | { olderThanDays: number },
    how: { dryRun: boolean; force?: boolean },
  ): Promise<string[]>;
  /** Does what the retention policy says, or tells it. Only finished packets, and none is deleted before it was archived. */
  retain(dryRun: boolean): Promise<Retained[]>;
  /** For good. Refused while it is worked on. */
  remove(id: string, dryRun: boolean): Promise<{ files: number }>;
  /** A review of finished work: a packet of its own with the pack and the report, run to its end. */
  review(input: ReviewInput): Promise<RanPacket & { results: string }>;
  /** What is in force for a packet, or for all, and where each value comes from. */
  config(id?: string): Promise<{ value: unknown; sources: Readonly<Record<string, string>> }>;
  validate(id: string): Promise<Finding[]>;
}

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
