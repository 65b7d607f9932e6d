import type { OwnOrder, WorkflowOptions } from '../../engine/run-workflow.ts';
import { workerPrompt } from '../../render/worker-prompt.ts';
import { isOver } from '../../task/allowed.ts';
import type { Step, Sub } from '../../task/run.ts';
import type { Task } from '../../task/schema.ts';
import type { PartOf } from '../bridges/make-packet.ts';
import { packetFor } from '../bridges/sides.ts';
import { readContext, readNotes } from './context.ts';
import { promptsOf, resultsOf, type Orders } from './orders.ts';

/** A subtask that a packet does: its report is the worker's, and so is its end. */
export function packetOrder(
  sub: Sub,
  step: Step,
  task: Task,
  { orders, onProgress }: { orders: Orders; onProgress: WorkflowOptions['onProgress'] },
): OwnOrder {
  const standsFor = { layout: 'task', id: task.id, step: step.id } as const;
  return {
    async does(signal) {
      const { doneByPacket } = await import('../bridges/part.ts');
      const part = await partOf(sub, step, task, orders, standsFor);
      const { where } = orders;
      return doneByPacket(packetFor(standsFor), part, {
        where,
        step,
        signal,
        onProgress,
      });
    },
  };
}

/**
 * A packet takes what anybody else changes in the tree for its own, and puts back what is out of its scope: while one is
 * among those that are to be done, steps come one after the other.
 */
export function oneByOne({ run }: Task): boolean {
  return run?.steps.some(({ id, sub }) => sub !== undefined && !isOver(run, id)) ?? false;
}

async function partOf(
  sub: Sub,
  step: Step,
  task: Task,
  { where, place, store, config }: Orders,
  standsFor: PartOf['standsFor'],
): Promise<PartOf> {
  const { [step.id]: prompt = '' } = await promptsOf(step, task, store);
  const notes = readNotes(place.dir);
  const context = readContext(where.root, place.dir);
  const { allow = ['.'], deny, commands = config.acceptance ?? [], criteria = [], calls } = sub;
  return {
    standsFor,
    tree: where.root,
    trust: task.trust,
    request: workerPrompt({
      goal: task.run?.goal ?? '',
      title: step.title,
      prompt,
      attachments: context.attachments,
      missing: context.problems,
      needs: resultsOf(step, task),
      ...(notes !== '' && { notes }),
    }),
    manifest: {
      goal: step.title,
      intent: sub.workflow,
      allow,
      ...(deny && { deny }),
      commands,
      criteria,
      budgets: { ...(calls !== undefined && { calls }) },
    },
  };
}
