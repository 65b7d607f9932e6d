import { DocketError } from '../../errors.ts';
import { isOver } from '../../task/allowed.ts';
import type { Step } from '../../task/run.ts';
import type { Task } from '../../task/schema.ts';
import type { PacketPlan, PacketWish, RunPacketInput } from './api.ts';
import { ownOf } from './format/own.ts';
import type { Resolved } from './format/resolve.ts';
import { parseStage } from './format/stages.ts';
import { inputsOf, readGiven } from './inputs.ts';
import type { PacketPlace } from './place.ts';
import { manifestOf } from './read.ts';

/**
 * What a stage was made from, by name: hashes of its prompt's parts and of its template, the model, the effort, the
 * settings. A stage that rewrites one of its own inputs (a brief, the context pack) is recorded with what it left, or
 * it would never be up to date.
 */
export type Inputs = Readonly<Record<string, string>>;

interface Stale {
  stage: string;
  /** In words, one for each input. */
  reasons: string[];
}

/** The first stage that would be made from something else today: it and all behind it have to run again. */
export function staleFrom(
  stages: readonly string[],
  recorded: Readonly<Record<string, Inputs>>,
  now: Readonly<Record<string, Inputs>>,
): Stale | undefined {
  const lastRun = stages.findLastIndex((stage) => Object.hasOwn(recorded, stage));
  for (const stage of stages.slice(0, lastRun + 1)) {
    const before = Object.hasOwn(recorded, stage) ? recorded[stage] : undefined;
    if (!before) return { stage, reasons: ['it has not run, but stages behind it have'] };
    const reasons = changes(before, now[stage] ?? {});
    if (reasons.length > 0) return { stage, reasons };
  }
  return undefined;
}

function changes(before: Inputs, after: Inputs): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return names.flatMap((name) => {
    const [was, is] = [before[name], after[name]];
    if (was === is) return [];
    if (was === undefined) return [`${name} is new`];
    if (is === undefined) return [`${name} is gone`];
    return [isHash(was) || isHash(is) ? `${name} changed` : `${name} changed from ${was} to ${is}`];
  });
}

function isHash(value: string): boolean {
  return /^[0-9a-f]{64}$/.test(value);
}

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
