import { classOfTail } from './error-lines.ts';
import type { StageFacts, TriageClass } from './facts.ts';
import { actionsFor } from './triage-actions.ts';

/** What is known about a stage that failed, from the surest to the vaguest. */
export interface Symptoms {
  gate: StageFacts['gate']['result'];
  /** What the adapter made of it. */
  error?: { class: string; message: string; resetAt?: string };
  exitCode: number;
  /** Exit codes of the original's wrappers mean other things for other tools. */
  tool?: string;
  stderrTail: readonly string[];
}

export type Policy = 'stop' | 'retry' | 'digest-retry' | 'wait';

/** Adapter classes that leave no doubt. `crashed` and `unknown` only say that nobody knew better. */
const sure: Readonly<Record<string, TriageClass>> = {
  limit: 'limit',
  auth: 'auth',
  'prompt-too-large': 'prompt_too_large',
  timeout: 'timeout',
  stall: 'timeout',
  tooling: 'tooling',
  transient: 'transient',
  refused: 'unknown',
};

/** What shells and `timeout` say, and the wrappers of the original. */
const exits: Readonly<Record<number, TriageClass>> = { 124: 'timeout', 126: 'tooling', 127: 'tooling' };
const wrapperExits: Readonly<Record<string, Readonly<Record<number, TriageClass>>>> = {
  codex: { 2: 'tooling', 13: 'tooling' },
  gemini: { 10: 'tooling', 11: 'tooling', 13: 'timeout', 14: 'prompt_too_large', 42: 'prompt_too_large' },
  copilot: { 30: 'tooling', 31: 'tooling', 33: 'timeout' },
};

/** What kind of failure it was, and what people can do about it. */
export function classify(symptoms: Symptoms): { class: TriageClass; actions: string[] } {
  const found = classOf(symptoms);
  return { class: found, actions: actionsFor(found, symptoms.error) };
}

function classOf({ gate, error, exitCode, tool = '', stderrTail }: Symptoms): TriageClass {
  if (gate !== 'pass') return gate;
  const told = error && Object.hasOwn(sure, error.class) ? sure[error.class] : undefined;
  if (told !== undefined) return told;
  const said = classOfTail([...stderrTail, ...(error ? error.message.split('\n') : [])]);
  // Copilot's wrapper has one code for bad input and for too much of it.
  if (said === 'prompt_too_large') return said;
  const byExit = exits[exitCode] ?? (Object.hasOwn(wrapperExits, tool) && wrapperExits[tool]?.[exitCode]);
  if (byExit) return byExit;
  return said ?? (exitCode === 0 ? 'unknown' : 'transient');
}

const policies: Readonly<Record<TriageClass, Policy>> = {
  scope_violation: 'stop',
  contract_violation: 'stop',
  tooling: 'stop',
  auth: 'stop',
  budget: 'stop',
  unknown: 'stop',
  transient: 'retry',
  timeout: 'retry',
  prompt_too_large: 'digest-retry',
  limit: 'wait',
};

/** What the dispatcher does next; how often, the packet's budgets say. */
export function policyOf(found: TriageClass): Policy {
  return policies[found];
}
