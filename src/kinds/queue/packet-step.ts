import type { OwnOrder } from '../../engine/run-workflow.ts';
import { fencedWork } from '../../render/fence.ts';
import { acceptanceCommands } from '../../settings/prove.ts';
import type { Step, Sub } from '../../task/run.ts';
import type { Task } from '../../task/schema.ts';
import { foreignAuthor } from '../../task/trust.ts';
import { choseOf } from '../../workflow/rules.ts';
import type { PartOf } from '../bridges/make-packet.ts';
import { packetFor } from '../bridges/packet-id.ts';
import { nodeFor, type TaskRun } from './task-run.ts';

/** A step of a record that a packet does, in the record's own workspace and within what the record may use. */
export function packetOrder(sub: Sub, step: Step, task: Task, run: TaskRun): OwnOrder {
  const { places, env } = run;
  const standsFor = { layout: 'queue', id: task.id, step: step.id } as const;
  return {
    async does(signal) {
      const { doneByPacket } = await import('../bridges/part.ts');
      const where = { ...places, env, warn: places.warn ?? (() => undefined) };
      const { onProgress } = run;
      const part = partOf(sub, task, run, standsFor);
      const before = await run.tree.before(step.id, true);
      const judged = await doneByPacket(packetFor(standsFor), part, { where, step, signal, onProgress });
      await run.tree.since(before, step.id, true);
      if (judged.outcome.state !== 'done') return judged;
      return {
        ...judged,
        outcome: { ...judged.outcome, chose: choseOf(nodeFor(run, step).rules, 0, 'only') },
      };
    },
  };
}

function partOf(sub: Sub, task: Task, run: TaskRun, standsFor: PartOf['standsFor']): PartOf {
  const { scope, acceptance, budget = {} } = task.spec;
  const { calls, seconds, tokens, money: cost } = budget;
  const author = foreignAuthor(task);
  return {
    standsFor,
    tree: run.cwd,
    trust: task.trust,
    request: author === undefined ? run.body : fencedWork(run.body, author),
    manifest: {
      goal: task.title,
      intent: sub.workflow,
      allow: scope?.allow ?? ['.'],
      ...(scope && { deny: scope.deny }),
      commands: acceptanceCommands(task, run.config),
      criteria: acceptance?.criteria ?? [],
      budgets: {
        ...(calls !== undefined && { calls }),
        ...(seconds !== undefined && { seconds: Math.ceil(seconds) }),
        ...(tokens !== undefined && { tokens }),
        ...(cost !== undefined && { cost }),
      },
    },
  };
}
