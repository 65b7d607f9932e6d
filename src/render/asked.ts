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
