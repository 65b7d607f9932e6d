import type { Usage } from '../../adapters/adapter.ts';
import type { ShownEvidence } from '../../engine/evidence-book.ts';
import type { UnmetNeed } from '../../task/needs.ts';
import type { Chose } from '../../task/run.ts';
import type { Task } from '../../task/schema.ts';
import type { Sides } from '../bridges/sides.ts';
import type { Action } from './actions.ts';
import type { Noted } from './format/noted.ts';
import type { Wishes } from './format/wishes.ts';

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
