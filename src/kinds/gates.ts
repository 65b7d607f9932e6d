import type { Asked } from '../render/asked.ts';
import type { Gate } from '../task/run.ts';

export interface GateInfo extends Gate, Asked {
  task: string;
  /** What people call its task, where it is one of the queue. */
  name?: string;
  gate: string;
  title: string;
}

export interface GateAnswer {
  decision: 'approved' | 'rejected';
  by: string;
  note?: string;
  /** One of the gate's options, where an agent waits for a choice. */
  choice?: string;
  /** The closing that the sender has seen: a later one is not answered by it. */
  times?: number;
}
