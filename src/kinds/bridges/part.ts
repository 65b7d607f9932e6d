import { blockReasonFor, Held } from '../../engine/blocking-errors.ts';
import { readEvidence } from '../../engine/evidence-book.ts';
import type { Progress, StepProgress } from '../../engine/progress.ts';
import type { Judged } from '../../engine/run-workflow.ts';
import { reportFrom } from '../../report/parse.ts';
import type { Report } from '../../report/schema.ts';
import type { Project } from '../../settings/project.ts';
import type { Step } from '../../task/run.ts';
import type { BlockReason, Task } from '../../task/schema.ts';
import type { RanPacket } from '../packet/api.ts';
import { packetsFolder, proofFolder } from '../packet/place.ts';
import { runPacket } from '../packet/run.ts';
import { makePart, type PartOf } from './make-packet.ts';
import { resultOf } from './result.ts';

interface PartRun {
  where: Project;
  step: Step;
  signal: AbortSignal;
  onProgress: ((progress: StepProgress) => void) | undefined;
}

/** A step whose work a packet does: that packet is made, or gone on with, and what it came to is the step's end. */
export async function doneByPacket(id: string, part: PartOf, run: PartRun): Promise<Judged> {
  const { where, step, signal, onProgress } = run;
  try {
    await makePart(where, id, part);
    const within = { tree: part.tree };
    const ran = await runPacket(where, id, {
      signal,
      patient: true,
      within,
      onProgress: (progress) => {
        if (progress.kind !== 'started' && progress.kind !== 'ended') onProgress?.(asPass(step, progress));
      },
    });
    return judged(ran, where.root);
  } catch (error) {
    const reason = blockReasonFor(error); // a program that is missing, a manifest that is wrong: it goes on when that is mended
    throw reason ? new Held(reason) : error;
  }
}

/** The stages of the packet are shown as passes of the step that they do. */
function asPass(
  { id, title, role }: Step,
  { ref: _, ...progress }: Extract<Progress, StepProgress>,
): StepProgress {
  return { ...progress, step: id, title: `${title}/${progress.step}`, role };
}

function judged(ran: RanPacket, root: string): Judged {
  const { task, id } = ran;
  if (ran.interrupted) return { outcome: { state: 'stopped' } };
  const result = resultOf(task);
  switch (result.state) {
    case 'done':
      return { outcome: { state: 'done', summary: summaryOf(ran) }, report: reportOf(ran, root) };
    case 'failed':
    case 'canceled': {
      const why =
        result.state === 'failed' ? (lastReason(ran) ?? result.reason) : `canceled: ${result.reason}`;
      return {
        outcome: { state: 'failed', reason: `packet ${id}: ${why} (see ${ran.summary})` },
        report: reportOf(ran, root),
      };
    }
    default: {
      // Also what goes on by itself: the whole run waits with it.
      const reason = task.status === 'blocked' ? task.reason : elsewhere(task.status);
      return { outcome: { state: 'held', reason: { ...reason, text: `packet ${id}: ${reason.text}` } } };
    }
  }
}

/** Somebody took it from us in the middle. */
function elsewhere(status: Task['status']): BlockReason {
  return { kind: 'conflict', text: `somebody else has it, and it is ${status}`, who: 'a person' };
}

function summaryOf({ id, goal, stages }: RanPacket): string {
  return `${goal} (packet ${id}: ${stages.map(({ stage }) => stage).join(', ')})`;
}

function lastReason({ stages }: RanPacket): string | undefined {
  return stages.findLast(({ state, reasons }) => state !== 'done' && reasons.length > 0)?.reasons.join('; ');
}

/** What the packet came to, in the words of one who hands in work: where to look, and what docket saw of it. */
function reportOf(ran: RanPacket, root: string): Report {
  const folder = [packetsFolder, ran.id, ...proofFolder].join('/');
  const last = new Map(
    readEvidence(root, folder, ran.task.id)
      .filter(({ kind, exit, wrong }) => kind === 'command' && exit !== undefined && !wrong)
      .map(({ what, exit }) => [what, exit]),
  );
  const commands = [...last]
    .slice(-20)
    .map(([ref, exit]) => ({ kind: 'command', ref, note: `exit code ${exit}` }));
  const read = reportFrom({
    status: ran.status === 'done' ? 'success' : 'failed',
    summary: summaryOf(ran),
    evidence: [{ kind: 'file', ref: ran.summary }, ...commands],
    errors: ran.status === 'done' ? [] : ran.stages.flatMap(({ reasons }) => reasons),
    artifacts: { packet: ran.id },
  });
  if ('report' in read) return read.report;
  throw new Error(`the report of packet ${ran.id} is not valid: ${read.problem}`);
}
