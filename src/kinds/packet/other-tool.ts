import { DocketError } from '../../errors.ts';
import { iso } from '../../io/clock.ts';
import type { Project } from '../../settings/project.ts';
import { isOver } from '../../task/allowed.ts';
import type { Command } from '../../task/command.ts';
import type { Step } from '../../task/run.ts';
import type { Task } from '../../task/schema.ts';
import type { Packet } from './api.ts';
import { readInput } from './files.ts';
import {
  doneByOther,
  extrasWith,
  objectIn,
  otherWorkIn,
  reportFor,
  taskWith,
  type OtherWork,
} from './format/other-work.ts';
import type { Resolved } from './format/resolve.ts';
import { parseStage } from './format/stages.ts';
import { inputsOf, readGiven } from './inputs.ts';
import type { PacketPlace } from './place.ts';
import type { Inputs } from './plan.ts';
import { manifestOf } from './read.ts';

/** What another tool did in the packet, and what its stages would be made from today. */
export interface TakenOver {
  work: OtherWork;
  inputs: Record<string, Inputs>;
}

/** Undefined: nothing, or nothing since docket last worked on it. */
export function findOtherWork(
  where: Project,
  place: PacketPlace,
  task: Task,
  settings: Resolved,
): TakenOver | undefined {
  const stages = settings.stages.map(({ stage }) => stage);
  const work = readOtherWork(where, place, task, stages);
  if (!work) return undefined;
  const given = readGiven(place.dir);
  const manifest = manifestOf(task);
  const done = settings.stages.filter(({ stage }) => work.stages.some((one) => one.stage === stage));
  const inputs = done.map((one) => [one.stage, inputsOf(one, given, manifest, where.root)] as const);
  return { work, inputs: Object.fromEntries(inputs) };
}

/** The task as a run will see it; nothing is written. */
export function withOtherWork(task: Task, taken: TakenOver | undefined, steps: Step[]): Task {
  return taken ? taskWith(task, taken.work, steps, taken.inputs) : task;
}

/** What records it, in the transaction in which the stages are ordered. `redo`: stages that run again all the same. */
export function takeOver(
  task: Task,
  { work, inputs }: TakenOver,
  redo: ReadonlySet<string>,
  about: { id: string; by: string; token: number },
): { extras: Task['extras']; commands: Command[] } {
  const commands = work.stages
    .filter(({ stage }) => !redo.has(stage))
    .flatMap((one): Command[] => {
      const step = one.stage;
      const reason = doneByOther;
      const failed = task.run && isOver(task.run, step);
      return [
        ...(failed ? [{ ...about, type: 'redo', step, reason } as const] : []),
        { ...about, type: 'finish', step, state: 'done', reason, report: reportFor(one) },
      ];
    });
  return { extras: extrasWith(task, work, inputs), commands };
}

/** A packet as people see it, with what another tool did and docket has not taken over yet. */
export function showOtherWork(packet: Packet, where: Project, place: PacketPlace): Packet {
  const stages = packet.stages.map(({ stage }) => stage);
  const work = readOtherWork(where, place, packet.task, stages);
  if (!work) return packet;
  const done = new Set(work.stages.map(({ stage }) => stage));
  return {
    ...packet,
    stages: packet.stages.map((view) =>
      done.has(view.stage) ? { stage: view.stage, state: 'done', reasons: [doneByOther] } : view,
    ),
    calls: { ...packet.calls, used: packet.calls.used + work.calls },
  };
}

function readOtherWork(
  { clock }: Project,
  { dir }: PacketPlace,
  task: Task,
  stages: readonly string[],
): OtherWork | undefined {
  const read = (name: string): string | undefined => {
    try {
      return readInput(dir, name);
    } catch (error) {
      if (error instanceof DocketError) return undefined; // a link, or no text: nothing that a tool wrote
      throw error;
    }
  };
  const marked = stages.flatMap((stage) => {
    const text = read(`done/${stage}.done`);
    return text === undefined ? [] : [[stage, text] as const];
  });
  const metas = marked.map(([stage]) => {
    const name = `outputs/${stage}.${parseStage(stage)?.tool}.meta.json`;
    return [stage, objectIn(read(name) ?? '')] as const;
  });
  const stats = objectIn(read('state/stats.json') ?? '');
  const files = { markers: Object.fromEntries(marked), metas: Object.fromEntries(metas), stats };
  return otherWorkIn(task, files, iso(clock));
}
