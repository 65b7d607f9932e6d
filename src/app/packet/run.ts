import { runWorkflow, type StepProgress } from '../../engine/run-workflow.ts';
import { DocketError } from '../../errors.ts';
import { iso } from '../../io/clock.ts';
import type { Resolved } from '../../layout/packet/config/resolve.ts';
import { resolvedJson } from '../../layout/packet/config/resolved-json.ts';
import { packetLayout } from '../../layout/packet/layout.ts';
import { compilePattern } from '../../layout/packet/manifest-values.ts';
import { idFor } from '../../layout/packet/name.ts';
import { ownOf, withOwn } from '../../layout/packet/own.ts';
import type { Backend, Claim } from '../../store/backend.ts';
import { executeTogether } from '../../store/execute-together.ts';
import { openAttempts } from '../../task/allowed.ts';
import type { Command } from '../../task/command.ts';
import type { Step } from '../../task/run.ts';
import type { Task } from '../../task/schema.ts';
import { readConfig } from '../config.ts';
import { withOne, type Where } from '../one-store.ts';
import { refused } from '../refused.ts';
import { claimed } from '../task/claim.ts';
import type { PacketPlan, RanPacket, RunPacketInput, StageProgress } from './api.ts';
import { assertNothingForbidden, readGiven } from './inputs.ts';
import { assertPacket } from './place.ts';
import { Redactor } from './redactor.ts';
import { knownSecrets } from './secrets.ts';
import { resolved } from './settings.ts';
import { stageOrder } from './stage-order.ts';
import type { PacketRun } from './stage-prompt.ts';
import { handedOn, redone, type Redo } from './stale.ts';
import { manifestOf, readPacket, viewOf } from './view.ts';

const usualPauseMs = 5_000;

/** Runs a packet's stages. Everything that was given is checked before anything is sent or changed. */
export async function runPacket(where: Where, id: string, input: RunPacketInput): Promise<RanPacket> {
  const place = assertPacket(where.root, id);
  const { task } = readPacket(where, id);
  const manifest = manifestOf(task);
  const settings = resolved(manifest, where, input.plan);
  assertStages(settings, input);
  // What is under way was looked at before it began, and a brief may have handed on its pack since.
  if (openAttempts(task).length === 0) assertNothingForbidden(readGiven(place.dir), manifest, handedOn(task));
  const patterns = manifest.security.redaction_patterns.map(compilePattern);
  const config = await readConfig(where.root, where.env);
  const redactor = new Redactor(knownSecrets(where.env, config), patterns);
  try {
    return await withOne(where, place, packetLayout, async (store) => {
      const now = (await store.get(idFor(id))) ?? task;
      const redo = redone(now, settings, input, { root: where.root, place });
      if (now.status === 'done' && redo.length === 0 && isOrdered(now, settings)) return ran(now, input);
      const claim = await claimed(store, where, now, 'it is run');
      await ordered(store, where, claim, settings, redo);
      const packet: PacketRun = {
        where,
        place,
        store,
        manifest,
        settings,
        config,
        redactor,
        signal: input.signal,
        met: ownOf(now).signatures,
        pauseMs: input.pauseMs ?? usualPauseMs,
        seen: new Map(),
      };
      return ran(await conducted(claim, packet, input), input);
    });
  } finally {
    await redactor.close();
  }
}

/** What a run would do, stage by stage. */
export function planPacket(where: Where, id: string, plan: string | undefined): PacketPlan {
  const place = assertPacket(where.root, id);
  const { task } = readPacket(where, id);
  const settings = resolved(manifestOf(task), where, plan);
  const redo = new Map(
    redone(task, settings, {}, { root: where.root, place }).map((one) => [one.stage, one]),
  );
  return {
    profile: settings.profile,
    stages: settings.stages.map(({ stage, model }) => {
      const isDone = task.run?.states[stage]?.state === 'done';
      const again = redo.get(stage);
      const why = again ? again.reason : isDone ? 'it is done' : 'it has not run yet';
      return { stage, model, runs: !isDone || again !== undefined, why };
    }),
  };
}

function assertStages({ stages, profile }: Resolved, { stage, from }: RunPacketInput): void {
  const known = stages.map((one) => one.stage);
  const unknown = [stage, from].find((name) => name !== undefined && !known.includes(name));
  if (unknown === undefined) return;
  const fix = `its stages are ${known.join(', ')}`;
  throw new DocketError('INVALID', `the profile ${profile} has no stage ${unknown}`, fix, { stage: unknown });
}

/** The stages as they are to run are those of its run. */
function isOrdered({ run }: Task, { stages }: Resolved): boolean {
  return run?.steps.map(({ id }) => id).join() === stages.map(({ stage }) => stage).join();
}

/** Stages are ordered, and what does not count any more is opened again: one transaction. */
async function ordered(
  store: Backend,
  where: Where,
  { task, token }: Claim,
  settings: Resolved,
  redo: readonly Redo[],
): Promise<void> {
  const { id, run } = task;
  const about = { id, by: 'docket', token };
  const resolved = `${JSON.stringify(resolvedJson(settings), undefined, 2)}\n`;
  const commands: Command[] = [
    { ...about, type: 'edit', set: { extras: withOwn(task.extras, { resolved }) } },
    ...redo.map(({ stage, reason }): Command => ({ ...about, type: 'redo', step: stage, reason })),
  ];
  if (!isOrdered(task, settings)) {
    const order = { goal: task.title, steps: stepsOf(settings), orders: '{}' };
    const n = (run?.n ?? 0) + 1;
    commands.push({ ...about, type: 'dispatch', n, ...order, stopsAtFailure: true, replaces: true });
  }
  const done = await executeTogether(store, id, commands, iso(where.clock));
  if (!done.ok) throw refused(done.refusal);
}

/** Each needs the one before. */
function stepsOf({ stages }: Resolved): Step[] {
  return stages.map(({ stage, tool, role }, at) => {
    const needs = stages.slice(Math.max(0, at - 1), at).map((one) => one.stage);
    return { id: stage, kind: 'work', title: stage, role, agent: tool, needs };
  });
}

function conducted(claim: Claim, packet: PacketRun, input: RunPacketInput): Promise<Task> {
  const { where, store } = packet;
  const begun = new Map<string, number>();
  return runWorkflow(claim, {
    store,
    by: 'docket',
    slots: 1,
    ...(input.stage !== undefined && { only: new Set([input.stage]) }),
    order: (step, task) => stageOrder(step, task, packet),
    notes: async () => undefined,
    evidence: 'outputs/_summary.md',
    env: where.env,
    signal: input.signal,
    now: () => where.clock.now(),
    ask: async ({ options }) => options.find(({ kind }) => kind === 'deny')?.id ?? '',
    onProgress: (progress) => input.onProgress?.(told(progress, packet, begun)),
  });
}

function told(progress: StepProgress, { where, seen }: PacketRun, begun: Map<string, number>): StageProgress {
  const { id: stage, agent } = progress.step;
  const now = where.clock.now();
  if (progress.kind === 'event') return { stage, kind: 'event', event: progress.event };
  if (progress.kind === 'started') {
    begun.set(stage, now);
    return { stage, kind: 'started', what: `run ${agent}` };
  }
  const { state, summary } = progress;
  const facts = seen.get(stage);
  const tail = state === 'done' ? [] : (facts?.err.tail ?? []);
  const seconds = (now - (begun.get(stage) ?? now)) / 1000;
  return { stage, kind: 'ended', state, seconds, summary, tail, ...(facts && { exitCode: facts.exit_code }) };
}

function ran(task: Task, { signal }: RunPacketInput): RanPacket {
  const view = viewOf(task);
  return { ...view, interrupted: signal.aborted, summary: `${view.dir}/outputs/_summary.md` };
}
