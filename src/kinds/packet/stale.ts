import { isOver } from '../../task/allowed.ts';
import type { Task } from '../../task/schema.ts';
import type { RunPacketInput } from './api.ts';
import { ownOf } from './format/own.ts';
import type { Resolved } from './format/resolve.ts';
import { parseStage } from './format/stages.ts';
import { staleFrom, type Inputs } from './format/stale.ts';
import { inputsOf, readGiven } from './inputs.ts';
import type { PacketPlace } from './place.ts';
import { manifestOf } from './read.ts';

/** A stage that was run before and has to run again, and why. */
export interface Redo {
  stage: string;
  reason: string;
}

/**
 * What of the work so far does not count any more: what failed, what was asked for anew, and what was made from other
 * inputs than today's; with it all that came behind.
 */
export function redone(
  task: Task,
  resolved: Resolved,
  input: Pick<RunPacketInput, 'stage' | 'from' | 'force'>,
  where: { root: string; place: PacketPlace },
): Redo[] {
  const { run } = task;
  if (!run) return [];
  const stages = resolved.stages.map(({ stage }) => stage);
  const over = stages.filter((stage) => isOver(run, stage));
  if (input.stage !== undefined)
    return over.includes(input.stage) ? [{ stage: input.stage, reason: 'it was asked for' }] : [];
  const first = firstToRedo(task, resolved, input, where);
  if (!first) return [];
  const from = stages.indexOf(first.stage);
  return over
    .filter((stage) => stages.indexOf(stage) >= from)
    .map((stage) => ({
      stage,
      reason: stage === first.stage ? first.reason : `${first.stage} runs again`,
    }));
}

function firstToRedo(
  task: Task,
  resolved: Resolved,
  { from, force }: Pick<RunPacketInput, 'from' | 'force'>,
  { root, place }: { root: string; place: PacketPlace },
): Redo | undefined {
  const stages = resolved.stages.map(({ stage }) => stage);
  const [first = ''] = stages;
  if (force) return { stage: first, reason: 'all of it was asked for again' };
  if (from !== undefined) return { stage: from, reason: 'it was asked for again from here' };
  const given = readGiven(place.dir);
  const manifest = manifestOf(task);
  const now = Object.fromEntries(
    resolved.stages.map((settings) => [settings.stage, inputsOf(settings, given, manifest, root)]),
  );
  const stale = staleFrom(stages, recordedInputs(task), now);
  const failed = stages.find((stage) => task.run?.states[stage]?.state === 'failed');
  const at = (stage: string) => stages.indexOf(stage);
  if (failed !== undefined && (!stale || at(failed) <= at(stale.stage)))
    return { stage: failed, reason: 'it failed' };
  return stale && { stage: stale.stage, reason: stale.reasons.join(', ') };
}

/** By stage, what it was made from when it last went well. */
function recordedInputs(task: Task): Record<string, Inputs> {
  const done = new Set(
    Object.entries(task.run?.states ?? {})
      .filter(([, { state }]) => state === 'done')
      .map(([stage]) => stage),
  );
  const recorded = ownOf(task).inputs;
  return Object.fromEntries(Object.entries(recorded).filter(([stage]) => done.has(stage))) as Record<
    string,
    Inputs
  >;
}

/** What a brief wrote into the context pack: the hash of the pack that it left, and its lines that name forbidden paths. */
export interface OwnWords {
  pack: string | undefined;
  lines: readonly string[];
}

/** Also of a brief that runs again: the pack is still the one that it left. */
export function ownWords(task: Task): OwnWords {
  const { inputs, briefed } = ownOf(task);
  const brief = Object.keys(inputs).find((stage) => parseStage(stage)?.role === 'brief');
  const pack = brief === undefined ? undefined : (inputs[brief] as Inputs)['context'];
  return { pack, lines: briefed };
}
