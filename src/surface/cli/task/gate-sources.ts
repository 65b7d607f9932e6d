import type { App } from '../../../app.ts';
import { DocketError } from '../../../errors.ts';
import type { GateAnswer, GateInfo } from '../../../kinds/gates.ts';
import type { Task } from '../../../task/schema.ts';
import { nameOf } from '../name.ts';
import { stateOf, taskFields } from './fields.ts';

/** A task whose gate was answered, whatever kind it is of. */
export interface Answered {
  kind: 'queue' | 'task';
  id: string;
  /** What a command calls it. */
  name: string;
  task: Task;
  /** Its state in the words of its format. */
  state: string;
  /** What --json says about it. */
  fields: Record<string, unknown>;
  /** The command that takes it up. */
  resume: readonly string[];
}

/** The gates of the queue and of task directories; a task is looked for in the queue first. */
export async function gatesIn(app: App, ref: string | undefined): Promise<GateInfo[]> {
  const queued = await (await app.queue()).gates(ref);
  if (ref !== undefined && queued) return queued;
  try {
    return [...(queued ?? []), ...(await (await app.tasks()).gates(ref))];
  } catch (error) {
    const begun = ref === undefined ? undefined : await gatesByBeginning(app, ref);
    if (begun) return begun;
    throw knownTo(error, ref);
  }
}

/** It was looked for in both, and the error of the second must not pass for the whole answer. */
function knownTo(error: unknown, ref: string | undefined): unknown {
  if (!(error instanceof DocketError) || error.code !== 'NOT_FOUND' || ref === undefined) return error;
  const fix = 'docket gate list shows the gates that wait; docket list and docket task list show the tasks';
  return new DocketError('NOT_FOUND', `there is no task "${ref}" in the queue or in .agentmesh/tasks`, fix, {
    ref,
  });
}

/** Of the one task in the queue whose name begins so; undefined: there is none, or more than one. */
async function gatesByBeginning(app: App, ref: string): Promise<GateInfo[] | undefined> {
  const queue = await app.queue();
  const found = await queue.show(ref).catch((error: unknown) => {
    if (error instanceof DocketError) return undefined;
    throw error;
  });
  return found && queue.gates(found.task.id);
}

export async function answerIn(app: App, ref: string, gate: string, answer: GateAnswer): Promise<Answered> {
  const task = await (await app.queue()).answer(ref, gate, answer);
  if (task) {
    const { id, status } = task;
    const name = nameOf(task);
    const fields = { id, status, name };
    return { kind: 'queue', id, name, task, state: status, fields, resume: ['run', name] };
  }
  const directory = await (await app.tasks()).answer(ref, gate, answer);
  return {
    kind: 'task',
    id: directory.id,
    name: directory.id,
    task: directory.task,
    state: stateOf(directory),
    fields: taskFields(directory),
    resume: ['task', 'resume', directory.id],
  };
}
