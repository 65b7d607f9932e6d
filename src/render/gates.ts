import type { KindName } from '../task/kind-names.ts';
import type { Gate } from '../task/run.ts';
import type { Task } from '../task/schema.ts';
import { askedAt, type Asked } from './asked.ts';

export interface GateInfo extends Gate, Asked {
  task: string;
  /** What people call its task. */
  name: string;
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

/** A gate with the kind of its task. */
export type TaskGate = GateInfo & { taskKind: KindName };

export function taskGates(found: { task: Task; name: string; kind: KindName }): TaskGate[] {
  return gatesOf(found.task, found.name).map((gate) => ({ ...gate, taskKind: found.kind }));
}

export function gatesOf(task: Pick<Task, 'id' | 'title' | 'run'>, name: string): GateInfo[] {
  return Object.entries(task.run?.gates ?? {}).map(([gate, facts]) => ({
    ...facts,
    ...askedAt(task.run, facts),
    task: task.id,
    name,
    gate,
    title: task.title,
  }));
}
