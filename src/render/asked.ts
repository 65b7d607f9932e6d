import { isProofQuestion, needsNote } from '../task/proof-question.ts';
import type { Gate, Run } from '../task/run.ts';

/** All that an agent asks at a gate, and what it says about it; a gate's reason has the first question alone. */
export interface Asked {
  questions?: string[];
  summary?: string;
}

/** A gate that closed for another reason since (a login, say) does not ask what an earlier report did. */
export function askedAt(run: Run | undefined, { step, reason, options }: Gate): Asked {
  const report = step === undefined || options ? undefined : run?.states[step]?.report;
  const said = report?.['questions'];
  const questions = Array.isArray(said) ? said.filter((one) => typeof one === 'string') : [];
  const [first] = questions;
  if (first === undefined || !reason.startsWith(first.slice(0, 100))) return {};
  const summary = report?.['summary'];
  return { questions, ...(typeof summary === 'string' && summary.trim() !== '' && { summary }) };
}

/** An answer to this question says why, or the agent would not know what to do. */
export function wantsNote(gate: Gate, choice?: string): boolean {
  return needsNote(gate, choice);
}

/** Why an answer lacks words: without them an agent would ask the same question again, and be paid for it. */
export function missingReason(
  { decision, note, choice }: { decision: 'approved' | 'rejected'; note?: string; choice?: string },
  gate: Gate & Asked & { gate: string },
): string | undefined {
  if (decision !== 'approved' || (note ?? '').trim() !== '' || gate.state !== 'blocked') return undefined;
  if (wantsNote(gate, choice)) return `${gate.gate}: this answer needs a reason`;
  if (choice !== undefined || gate.questions === undefined) return undefined;
  return `${gate.gate} asks: ${gate.questions.join(' ')}`.slice(0, 500);
}

/** A note alone does not choose between its answers. */
export function hasManyAnswers(gate: Gate): boolean {
  return isProofQuestion(gate);
}
