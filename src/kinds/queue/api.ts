import type { Usage } from '../../adapter/adapter.ts';
import type { Sides } from '../../app/bridge/sides.ts';
import type { ShownEvidence } from '../../app/evidence.ts';
import type { Delivery } from '../../task/delivery.ts';
import type { UnmetNeed } from '../../task/needs.ts';
import type { Chose } from '../../task/run.ts';
import type { Spec, Task } from '../../task/schema.ts';
import type { Status } from '../../task/status.ts';
import type { GateAnswer, GateInfo } from '../gates.ts';
import type { Action } from './actions.ts';
import type { Noted } from './format/noted.ts';
import type { Wishes } from './format/wishes.ts';

/** Tasks of the queue, by id or by the name of their entry. What only reads changes no byte. */
export interface QueueTasks {
  show(ref: string): Promise<TaskDetails>;
  /** Each by itself: one that is refused stops no other. */
  act(act: Act, refs: readonly string[], input: ActInput): Promise<Acted[]>;
  /** Those of all tasks, or of one. Undefined: there is no such task in the queue. */
  gates(ref?: string): Promise<GateInfo[] | undefined>;
  answer(ref: string, gate: string, answer: GateAnswer): Promise<Task | undefined>;
}

export interface TaskDetails {
  task: Task;
  name: string;
  /** The tasks that must be done first and are not. */
  waits: UnmetNeed[];
  /** What they are called, by id. */
  names: Record<string, string>;
  steps: StepDetails[];
  /** Of the last attempt of each step; absent: nobody told. */
  usage?: Usage;
  noted: Noted;
  wishes: Wishes;
  /** What there is to read, from the root. */
  files: { what: string; path: string }[];
  /** What docket itself saw of its work. */
  evidence: ShownEvidence[];
  /** Tasks of other layouts that belong to it. */
  sides: Sides;
  /** What can be done with it now. */
  actions: readonly Action[];
}

export interface StepDetails {
  step: string;
  title: string;
  state: string;
  agent: string;
  attempt?: number;
  startedAt?: string;
  seconds?: number;
  usage?: Usage;
  /** The rule that says what follows. */
  chose?: Chose;
  /** What was said about it last. */
  said: string;
}

export type Act = 'retry' | 'requeue' | 'cancel';

export interface ActInput {
  by: string;
  reason?: string;
  /** The step that it goes on with. */
  from?: string;
  /** What its agent is told. */
  note?: string;
  /** Steps that it may take beyond those that it took. */
  moreSteps?: number;
  /** Its own caps; those that are not named stay. */
  budget?: NonNullable<Spec['budget']>;
  dryRun?: boolean;
}

/** What a task that was canceled leaves in people's own tree. */
export interface Left {
  files: string[];
  /** Nobody else's changes are in these files. */
  alone: boolean;
  /** Nobody can tell whether they are: how it left the files was not noted. */
  unsure?: true;
  /** The top folder of the repository that they are in: git applies a patch only below where it is told to. */
  repository: string;
}

export type Acted =
  | {
      ok: true;
      id: string;
      name: string;
      was: Status;
      status: Status;
      changed: boolean;
      left?: Left;
      /** Only its delivery was retried: where its work is now. */
      delivery?: Delivery;
    }
  | { ok: false; ref: string; error: Error & { code: string; fix: string; data: unknown; exitCode: number } };
