import { classOfTail } from './error-lines.ts';
import type { StageFacts, TriageClass } from './facts.ts';

const actions: Readonly<Record<TriageClass, readonly string[]>> = {
  scope_violation: [
    'Read the gate reasons: what was changed out of scope was undone and is kept as a patch in the packet.',
    'If those changes are wanted, add their paths to scope.allow in manifest.yaml; if not, say so in inputs/user_request.md.',
  ],
  contract_violation: [
    'Read the gate reasons and the output of the stage: a part is missing, or an acceptance command failed.',
    'Make the request or the context pack clearer, or mend what the command shows; then resume.',
  ],
  tooling: [
    'Check that the program is installed and starts: "docket agents" shows what is found.',
    'Check the model and the options in configs/ and manifest.yaml: "docket packet config" shows what is used.',
  ],
  transient: [
    'Resume the packet: a later try may simply work.',
    'If it comes again, read the end of the .err file of the stage, and check the network.',
  ],
  prompt_too_large: [
    'Set context.digest_policy to aggressive in manifest.yaml.',
    'Shorten inputs/user_request.md, or take files out of inputs/attachments/.',
  ],
  auth: [
    'Log in with the program again, or renew its API key, in the environment that docket runs in.',
    'Then resume: stages that are done do not run again.',
  ],
  limit: [
    'Wait until the limit is over, then resume.',
    'Or choose another model for this tool with routing.model in manifest.yaml.',
  ],
  timeout: [
    'Raise budgets.max_wallclock_sec in manifest.yaml if the work is that long.',
    'Make the request smaller, or split it into several packets.',
  ],
  budget: [
    'Read in outputs/_summary.md what the calls were spent on.',
    'Raise the budget in manifest.yaml if more is wanted, then resume.',
  ],
  unknown: [
    'Read the .err file and the output of the stage.',
    'Resume when you know what was wrong; if the agent refused, word the request differently.',
  ],
};

/** Two or three things that people can do. */
export function actionsFor(found: TriageClass, error?: { resetAt?: string }): string[] {
  const until =
    found === 'limit' && error?.resetAt !== undefined ? [`The limit ends at ${error.resetAt}.`] : [];
  return [...until, ...actions[found]];
}

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

type Policy = 'stop' | 'retry' | 'digest-retry' | 'wait';

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
