import { DocketError } from '../../errors.ts';
import type { Step } from '../../task/run.ts';
import type { Task } from '../../task/schema.ts';
import type { PacketPlan, PacketWish } from './api.ts';
import type { Resolved } from './format/resolve.ts';
import type { PacketPlace } from './place.ts';
import { redone } from './stale.ts';

/** What a run would do, stage by stage. `task`: absent when nobody has seen it yet. */
export function planned(
  task: Task | undefined,
  settings: Resolved,
  wish: PacketWish,
  where: { root: string; place: PacketPlace },
): PacketPlan['stages'] {
  const redo = task ? redone(task, settings, wish, where) : [];
  return settings.stages.map(({ stage, model }) => {
    if (wish.stage !== undefined && wish.stage !== stage)
      return { stage, model, runs: false, why: `only ${wish.stage} was asked for` };
    const isDone = task?.run?.states[stage]?.state === 'done';
    const again = redo.find((one) => one.stage === stage);
    const done = task?.run?.states[stage]?.reason ?? 'it is done';
    const why = again ? again.reason : isDone ? done : 'it has not run yet';
    return { stage, model, runs: !isDone || again !== undefined, why };
  });
}

export function assertStages({ stages, profile }: Resolved, { stage, from }: PacketWish): void {
  const known = stages.map((one) => one.stage);
  const unknown = [stage, from].find((name) => name !== undefined && !known.includes(name));
  if (unknown === undefined) return;
  const fix = `write one of its stages: ${known.join(', ')}`;
  throw new DocketError('INVALID', `the profile ${profile} has no stage ${unknown}`, fix, { stage: unknown });
}

/** Each needs the one before. */
export function stepsOf({ stages }: Resolved): Step[] {
  return stages.map(({ stage, tool, role }, at) => {
    const needs = stages.slice(Math.max(0, at - 1), at).map((one) => one.stage);
    return { id: stage, kind: 'work', title: stage, role, agent: tool, needs };
  });
}
