import { isPerson } from './evolve-run.ts';
import type { Gate, Run } from './run.ts';

/** The question that docket asks when work is not proved. No step's gate has this name. */
export const proofGate = 'proof';

export const proofChoices = { accept: 'accept', back: 'send-back', check: 'check-again' } as const;

type Option = NonNullable<Gate['options']>[number];

/** Docket asks it and waits for no answer of an agent: the task is blocked, not a process. */
export function isProofQuestion({ kind, options }: Gate): boolean {
  return kind === 'auto-check' && options !== undefined;
}

/** The valid answers beside a plain no. `steps`: whose work is in question and can be sent back. */
export function proofOptions(steps: readonly string[]): Option[] {
  const { accept, back, check } = proofChoices;
  const backTo = (id: string, names: string): Option => ({
    id,
    kind: 'other',
    text: `send the work back to ${names} with your note`,
  });
  return [
    { id: accept, kind: 'allow', text: 'accept the work as it is; your note is the reason' },
    ...(steps.length > 0 ? [backTo(back, steps.join(', '))] : []),
    ...(steps.length > 1 ? steps.map((step) => backTo(`${back}:${step}`, step)) : []),
    { id: check, kind: 'other', text: 'check again, after a fix of your own' },
  ];
}

/** Without a note nobody would know why, or the agent what to do. */
export function needsNote(gate: Gate, choice: string = proofChoices.accept): boolean {
  return isProofQuestion(gate) && choice !== proofChoices.check;
}

/** The steps that an answer sends back. */
export function sentBack({ steps = [] }: Gate, choice: string | undefined): readonly string[] {
  if (choice === proofChoices.back) return steps;
  return steps.filter((step) => choice === `${proofChoices.back}:${step}`);
}

/** The steps that wait for the answer to a question. */
export function stepsBehind({ step, steps = [] }: Gate): readonly string[] {
  return step === undefined ? steps : [step];
}

/** The open question about a step's proof. */
export function proofQuestionFor(run: Pick<Run, 'gates'> | undefined, step: string): Gate | undefined {
  const gate = run?.gates[proofGate];
  return gate?.state === 'blocked' && isProofQuestion(gate) && gate.steps?.includes(step) ? gate : undefined;
}

export interface AcceptedProof {
  by: string;
  note: string;
  /** What was not proved. */
  reason: string;
}

/** A person's decision to take the work as it is. It holds until a step runs again. */
export function acceptedProof(run: Run | undefined): AcceptedProof | undefined {
  const gate = run?.gates[proofGate];
  if (!run || !gate || !isProofQuestion(gate) || gate.state !== 'approved') return undefined;
  const { choice, resolvedAt = '', resolvedBy: by = '', note = '', reason } = gate;
  if (choice !== proofChoices.accept || !isPerson(by)) return undefined;
  return hasRunSince(run, resolvedAt) ? undefined : { by, note, reason };
}

/** The check that is due comes after a fix of a person: what people changed meanwhile counts, too. */
export function isCheckedAgain(run: Run | undefined): boolean {
  const gate = run?.gates[proofGate];
  if (!run || !gate || !isProofQuestion(gate) || gate.state !== 'approved') return false;
  return gate.choice === proofChoices.check && !hasRunSince(run, gate.resolvedAt ?? '');
}

function hasRunSince({ states }: Run, at: string): boolean {
  return Object.values(states).some(({ since }) => Date.parse(since) > Date.parse(at));
}
