import { clip } from '../report/clip.ts';
import { acceptedProof, proofGate, proofOptions } from '../task/proof-question.ts';
import type { Verdict } from '../task/schema.ts';
import { Held } from './held.ts';
import type { Proved, Proving, Question } from './proving.ts';
import type { Entry, Recorder } from './recorder.ts';
import { needsPerson } from './setup.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The facts that end a run which went well, once it is proved by these. */
export type Facts = (evidence: readonly string[]) => Promise<Entry[]>;

export interface Ending {
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
  const reason = error instanceof Held ? error.reason : needsPerson(error);
  if (!reason) throw error;
  return { kind: 'hold', reason };
}

function toldToMend(reason: string): string {
  return `docket ran what proves this work, and it is not proved. Mend it, and end as you were asked to.\n\n${reason}`;
}
