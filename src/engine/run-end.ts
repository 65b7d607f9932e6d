import { command, fix } from '../errors/command.ts';
import { loopWords } from '../render/loop.ts';
import { clip } from '../report/clip.ts';
import { loopIn } from '../task/loop.ts';
import { acceptedProof, proofGate, proofOptions } from '../task/proof-question.ts';
import { whyFailed } from '../task/rejected.ts';
import type { Step } from '../task/run.ts';
import type { BlockReason, Task, Verdict } from '../task/schema.ts';
import { failedSteps } from '../workflow/advance.ts';
import { Held, blockReasonFor } from './blocking-errors.ts';
import type { Proved, Proving, Question } from './proving.ts';
import { gateOf } from './questions.ts';
import type { Entry, Recorder } from './recorder.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The facts that end a run which went well, once it is proved by these. */
export type Facts = (evidence: readonly string[]) => Promise<Entry[]>;

interface Ending {
  recorder: Recorder;
  /** Absent: the work of docket's own judges is enough. */
  prove: Proving | undefined;
  /** Everything that the task's commands need is there: their environment. */
  env: () => Promise<Env>;
  /** What people's notes say now, by its hash: only what is new is an answer. */
  notes: () => Promise<string | undefined>;
  signal: AbortSignal;
}

/** The one way to done: it is proved first, and who can mend what fails is told. True: that was the end. */
export async function endWell(
  facts: Facts,
  { recorder, prove, env, notes, signal }: Ending,
): Promise<boolean> {
  const accepted = prove && acceptedProof(recorder.task.run);
  if (prove && accepted) {
    const id = await prove.accepted(recorder.task, accepted);
    await recorder.write(...(await facts([id])));
    return true;
  }
  const verdict: Proved = prove
    ? await env()
        .then((variables) => prove.prove(recorder.task, { signal, env: variables }))
        .catch(heldBy)
    : { kind: 'pass' };
  if (signal.aborted) return false; // it is put back, and the next docket proves it
  const back = verdict.kind === 'retry' ? prove?.back(recorder.task, verdict.untrue) : undefined;
  if (verdict.kind === 'retry' && back !== undefined) {
    const { unproved } = verdict;
    const reason = clip(verdict.reason, 500);
    const told = toldToMend(verdict.reason);
    await recorder.write({ type: 'redo', step: back, reason, told, ...(unproved && { unproved }) });
    return false;
  }
  if (verdict.kind === 'pass') await recorder.write(...(await facts(verdict.evidence ?? [])));
  else {
    const { question, unproved: _unproved, untrue: _untrue, ...plain } = verdict;
    const asked = question ? [proofEntry(question, await notes())] : [];
    await recorder.write(...asked, { type: 'settle', verdict: plain, summary: '' });
  }
  return true;
}

function proofEntry({ reason, steps }: Question, notes: string | undefined): Entry {
  const about = { type: 'ask', gate: proofGate, kind: 'auto-check', reason } as const;
  const kept = notes === undefined ? {} : { notes };
  return { ...about, steps: [...steps], options: proofOptions(steps), ...kept };
}

/** What it needs is not there, or an agent has spoilt the place of the evidence: a person has to see to that. */
function heldBy(error: unknown): Verdict {
  const reason = error instanceof Held ? error.reason : blockReasonFor(error);
  if (!reason) throw error;
  return { kind: 'hold', reason };
}

function toldToMend(reason: string): string {
  return `docket ran the checks for this work, and they failed. Fix this, then send your report again.\n\n${reason}`;
}

export function holding(reason: BlockReason): Entry {
  return { type: 'settle', verdict: { kind: 'hold', reason }, summary: '' };
}

/** A step that a person does: it is blocked by its own gate. */
export function closing({ id, title }: Step, notes: string | undefined): Entry[] {
  return [
    { type: 'finish', step: id, state: 'blocked', reason: title },
    {
      type: 'ask',
      gate: id.startsWith('gate-') ? id : gateOf(id),
      kind: 'milestone-gate',
      step: id,
      reason: title,
      ...(notes !== undefined && { notes }),
    },
  ];
}

/** What the end of a run means for its task. `evidence` is where people look, `ids` what docket saw. */
export function settling(
  task: Task,
  as: 'done' | 'failed' | 'blocked' | 'unfinished',
  evidence: string,
  ids: readonly string[] = [],
): Entry {
  const { run } = task;
  const steps = run?.steps.filter(({ kind }) => kind === 'work') ?? [];
  const summary = `${steps.length} ${steps.length === 1 ? 'step' : 'steps'}, brought together in ${evidence}`;
  if (as === 'unfinished') return { type: 'requeue', reason: 'what was asked for is done' };
  if (as === 'done')
    return { type: 'settle', verdict: { kind: 'pass', evidence: [evidence, ...ids] }, summary };
  if (as === 'failed') {
    const reason = run ? whyFailed(run, failedSteps(run)) : 'it failed';
    return { type: 'settle', verdict: { kind: 'fail', reason }, summary };
  }
  const closed = Object.entries(run?.gates ?? {}).filter(([, { state }]) => state === 'blocked');
  const text = closed
    .map(([id, { reason }]) => `${id}: ${reason}`)
    .join('\n')
    .slice(0, 8000);
  const reason = { kind: 'gate' as const, text: text || 'a person must act', who: 'a person' };
  return { type: 'settle', verdict: { kind: 'hold', reason }, summary };
}

/** When a run counts as turning in circles, and how a person lets it go on. */
export interface Loops {
  /** So many rounds without anything new; 0: never. */
  times: number;
  /** The command for that, in the words of the layout. */
  goOn: string;
  /** What people call the task, where that is not its id. */
  name?: string;
}

const longest = 2000;

/** Why a run goes no further although more is due: what it does, it has done before. */
export function stuckIn(task: Task, loops: Loops | undefined): BlockReason | undefined {
  if (!loops || task.status !== 'running') return undefined;
  const loop = loopIn(task.run?.trail, loops.times);
  if (!loop) return undefined;
  const text =
    fix`${loopWords(loop, task).slice(0, longest)} See ${command`explain ${loops.name ?? task.id}`}; then: ${loops.goOn}`
      .text;
  return { kind: 'loop', text, who: 'a person' };
}
