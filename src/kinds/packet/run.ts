import path from 'node:path';
import { announced, type Progress, type TaskRef } from '../../engine/progress.ts';
import type { Prover } from '../../engine/prove.ts';
import { DocketError } from '../../errors.ts';
import { command } from '../../errors/command.ts';
import type { RealChanges } from '../../gate/seen.ts';
import { iso } from '../../io/clock.ts';
import { isDirectory } from '../../io/find-up.ts';
import { removeTree } from '../../io/folders.ts';
import { ignoreOwn, makeOwnFolder } from '../../io/own-folder.ts';
import { maskingFor } from '../../settings/masking.ts';
import type { Project } from '../../settings/project.ts';
import { proverFor } from '../../settings/prove.ts';
import { executeTogether } from '../../store/execute.ts';
import type { Claim, Store } from '../../store/store.ts';
import { isOver } from '../../task/allowed.ts';
import type { Command } from '../../task/command.ts';
import { linkText } from '../../task/link.ts';
import type { Task } from '../../task/schema.ts';
import { claimTask, type ClaimWords } from '../claim.ts';
import { withOne } from '../one-store.ts';
import { refused } from '../refused.ts';
import { type Recipe, runTask } from '../run-task.ts';
import type { PacketPlan, PacketWish, RanPacket, RunPacketInput } from './api.ts';
import { readable } from './archive.ts';
import { playedBy, soundPacket } from './check.ts';
import { carriedNames, workFolder } from './copies.ts';
import type { StageFacts } from './format/facts.ts';
import { packetLayout } from './format/layout.ts';
import { compilePattern } from './format/manifest.ts';
import { idFor, packetName } from './format/name.ts';
import { ownOf, withOwn, withSpent } from './format/own.ts';
import { type Resolved, resolvedJson } from './format/resolve.ts';
import { parseStage } from './format/stages.ts';
import { claimRawFolder } from './life.ts';
import { findOtherWork, type TakenOver, takeOver, withOtherWork } from './other-tool.ts';
import { assertPacket, folderOfPacket, type PacketPlace, proofFolder } from './place.ts';
import { planned, type Redo, redone, stepsOf } from './plan.ts';
import { viewOf } from './read.ts';
import { Redactor } from './redactor.ts';
import { stageOrder } from './stage-order.ts';
import type { PacketRun } from './stage-prompt.ts';
import { frozenHash, keepTouched, putBackAfterCrash, trustedNow } from './trusted.ts';

/** What its stages brought: what people, or other packets, do in the same tree meanwhile is theirs. */
function changesOf(place: PacketPlace): RealChanges {
  const touched = carriedNames(place).toSorted();
  return { touched, still: touched, others: [] };
}

/** What proves a packet: its own commands, where anything may have been changed or was to be verified. */
function packetProver(packet: Omit<PacketRun, 'prover'>): Prover {
  const { where, cwd, place, manifest, settings, config, masking, redactor } = packet;
  const writes = (stage: string) => parseStage(stage)?.writes === 'tree';
  const isProved = settings.stages.some(({ stage }) => writes(stage));
  return proverFor(
    { ...where, config },
    {
      cwd,
      masking,
      attempts: { attemptsBy: 'step', attempts: path.join(place.raw, 'attempts') },
      redact: (text) => redactor.redact(text),
      folder: () => makeOwnFolder(place.dir, ...proofFolder),
      scratch: () => makeOwnFolder(where.root, '.docket', 'packet', place.id, 'proof'),
      commands: () => (isProved ? manifest.acceptance.commands : []),
      ...(manifest.budgets.max_wallclock_sec > 0 && {
        timeoutMs: manifest.budgets.max_wallclock_sec * 1000,
      }),
      changes: () => changesOf(place),
      writes: ({ id }) => writes(id),
      name: place.id,
      goOn: String(command`packet resume ${place.id}`),
    },
  );
}

/**
 * Written down when a run was interrupted. What the calls that were ended have cost, as far as their vendors had said:
 * nobody judged them, so nobody has counted it. And that what people gave is theirs to change again.
 */
async function noteInterrupted(store: Store, where: Project, task: Task, before: Task): Promise<Task> {
  const stopped = Object.values(task.attempts ?? {}).filter(({ step, n, end }) => {
    const was = before.attempts?.[step];
    return end?.outcome === 'stopped' && !(was?.n === n && was.end);
  });
  const extras = stopped.reduce(
    (sum, { end }) => {
      const { input = 0, output = 0, cost = 0 } = end?.usage ?? {};
      return withSpent(sum, { tokens: input + output, cost });
    },
    withOwn(task.extras, { frozen: '' }),
  );
  const about = { id: task.id, by: 'docket' };
  const done = await executeTogether(
    store,
    task.id,
    [{ ...about, type: 'edit', set: { extras } }],
    iso(where.clock),
  );
  if (!done.ok) throw refused(done.refusal, task.id);
  return done.task;
}

const usualPauseMs = 5_000;

/** Runs a packet's stages. Everything that was given is checked before anything is sent or changed. */
export async function runPacket(where: Project, id: string, input: RunPacketInput): Promise<RanPacket> {
  const place = assertPacket(where.root, id);
  const left = await putBackAfterCrash(where, place, await readable(where, id), input);
  const { task, manifest, settings, config } = await soundPacket(where, place, input);
  const patterns = manifest.security.redaction_patterns.map(compilePattern);
  const masking = maskingFor(where, config);
  const cwd = treeFor(task, where.root, input);
  const redactor = new Redactor(masking.secrets, patterns);
  ignoreOwn(makeOwnFolder(where.root, '.docket'));
  try {
    for (const [stage, touched] of left.touched)
      await keepTouched({ where, dir: place.dir, redactor }, stage, touched);
    return await withOne(where, place, packetLayout, async (store) => {
      const now = (await store.get(idFor(id))) ?? task;
      const taken = findOtherWork(where, place, now, settings);
      const seen = withOtherWork(now, taken, stepsOf(settings));
      const redo = redone(seen, settings, input, { root: where.root, place });
      const isUpToDate = redo.length === 0 && !taken && isOrdered(now, settings);
      if (now.status === 'done' && isUpToDate) return ran(now, where, input);
      await claimRawFolder(where, place, now);
      const claim = await claimTask(store, where, now, { reason: 'it is run' }, wordsFor(id));
      await ordered(store, where, claim, settings, { redo, taken });
      const given: Omit<PacketRun, 'prover'> = {
        where,
        cwd,
        place,
        store,
        manifest,
        settings,
        config,
        redactor,
        masking,
        tries: new Map(),
        pauseMs: input.pauseMs ?? usualPauseMs,
        seen: new Map(),
        trusted: left.trusted,
      };
      const packet: PacketRun = { ...given, prover: packetProver(given) };
      const ended = await conducted(claim, packet, input);
      // All that counts of it is in people's tree; a stage that runs again makes it anew.
      if (ended.status === 'done') removeTree(workFolder(place));
      return ran(
        input.signal.aborted ? await noteInterrupted(store, where, ended, now) : ended,
        where,
        input,
      );
    });
  } finally {
    await redactor.close();
  }
}

/** Where it works: who has it run says so, and what they said last holds for a person who runs it by hand. */
function treeFor(task: Task, root: string, { within }: RunPacketInput): string {
  const cwd = within?.tree ?? ownOf(task).tree ?? root;
  if (isDirectory(cwd)) return cwd;
  const part = task.standsFor ? ` of ${linkText(task.standsFor)}` : '';
  throw new DocketError(
    'NOT_FOUND',
    `the work tree${part} is gone: ${cwd}`,
    'run the task that it is a part of',
    {
      path: cwd,
    },
  );
}

/** What a run would do, stage by stage. */
export async function planPacket(where: Project, id: string, wish: PacketWish): Promise<PacketPlan> {
  const place = assertPacket(where.root, id);
  const { task, settings, config } = await soundPacket(where, place, wish);
  const taken = findOtherWork(where, place, task, settings);
  const seen = withOtherWork(task, taken, stepsOf(settings));
  const stages = planned(seen, settings, wish, { root: where.root, place });
  const played = new Map<string, string | undefined>();
  for (const { stage, tool } of settings.stages) played.set(stage, await playedBy(tool, config, where));
  return {
    profile: settings.profile,
    stages: stages.map((one) => ({ ...one, model: played.get(one.stage) ?? one.model })),
  };
}

function wordsFor(id: string): ClaimWords {
  return {
    name: `packet ${id}`,
    watch: command`packet status ${id}`,
    cancel: command`packet cancel ${id}`,
  };
}

/** The stages as they are to run are those of its run. */
function isOrdered({ run }: Task, { stages }: Resolved): boolean {
  return run?.steps.map(({ id }) => id).join() === stages.map(({ stage }) => stage).join();
}

/** Stages are ordered, what another tool did is recorded, and what does not count any more is opened again: one transaction. */
async function ordered(
  store: Store,
  where: Project,
  { task, token }: Claim,
  settings: Resolved,
  { redo, taken }: { redo: readonly Redo[]; taken: TakenOver | undefined },
): Promise<void> {
  const { id, run } = task;
  const about = { id, by: 'docket', token };
  const again = redo.filter(({ stage }) => run && isOver(run, stage));
  const other = taken && takeOver(task, taken, new Set(redo.map(({ stage }) => stage)), about);
  const frozen = frozenHash(trustedNow(where, packetName(task)));
  const resolved = `${JSON.stringify(resolvedJson(settings), undefined, 2)}\n`;
  const commands: Command[] = [
    {
      ...about,
      type: 'edit',
      set: { extras: withOwn({ ...task.extras, ...other?.extras }, { resolved, frozen }) },
    },
    ...again.map(({ stage, reason }): Command => ({ ...about, type: 'redo', step: stage, reason })),
  ];
  if (!isOrdered(task, settings)) {
    const order = { goal: task.title, steps: stepsOf(settings), orders: '{}' };
    const n = (run?.n ?? 0) + 1;
    commands.push({ ...about, type: 'dispatch', n, ...order, stopsAtFailure: true, replaces: true });
  }
  commands.push(...(other?.commands ?? []));
  const done = await executeTogether(store, id, commands, iso(where.clock));
  if (!done.ok) throw refused(done.refusal, id);
}

function conducted(claim: Claim, packet: PacketRun, input: RunPacketInput): Promise<Task> {
  const { where, store } = packet;
  const { id } = packet.place;
  const ref: TaskRef = { kind: 'packet', id, name: id, title: packet.masking.text(claim.task.title) };
  const recipe: Recipe = {
    ref,
    goOn: String(command`packet run ${id}`),
    store,
    by: 'docket',
    where,
    config: packet.config,
    masking: packet.masking,
    // Agents work in copies of the tree, and only their changes in scope are carried back.
    place: { kind: 'own', cwd: () => packet.cwd },
    environment: input.within ? 'ready' : { tell: where.warn },
    patience: input.patient ? 'wait' : 'fail',
    onQuestion: 'deny',
    slots: 1,
    ...(input.stage !== undefined && { only: new Set([input.stage]) }),
    order: (step, task, env) => stageOrder(step, task, { ...packet, where: { ...where, env } }),
    evidence: 'outputs/_summary.md',
    prove: packet.prover,
    signal: input.signal,
    onProgress: (progress) => input.onProgress?.(withOutput(progress, packet)),
    isToldOutside: input.within !== undefined,
  };
  return announced(ref, input.onProgress, () => runTask(claim, recipe));
}

/** The end of a stage with what was printed, of a failed one, and the exit code of the agent. */
function withOutput(progress: Progress, { where, seen, settings, place }: PacketRun): Progress {
  const facts = progress.kind === 'stepped' ? seen.get(progress.step) : undefined;
  if (progress.kind !== 'stepped' || !facts) return progress;
  // A fallback agent writes to the files of the stage's own tool.
  const tool = settings.stages.find(({ stage }) => stage === progress.step)?.tool ?? progress.agent;
  const dir = folderOfPacket(where.root, place.id);
  const printed = progress.state === 'done' ? {} : printedBy(facts, `${progress.step}.${tool}.err`, dir);
  return { ...progress, ...printed, exitCode: facts.exit_code };
}

/** What people want to see when it failed: a command's own words go before the agent's. */
function printedBy(
  { commands, err }: StageFacts,
  log: string,
  dir: string,
): { tail: string[]; file?: string } {
  const { tail, file } = commands ?? { tail: err.tail, file: `outputs/${log}` };
  return { tail, ...(tail.length > 0 && { file: `${dir}/${file}` }) };
}

function ran(task: Task, { root }: Project, { signal }: RunPacketInput): RanPacket {
  const view = viewOf(task, root);
  return { ...view, interrupted: signal.aborted, summary: `${view.dir}/outputs/_summary.md` };
}
