import { command, fix } from '../../../errors/command.ts';
import { classOfTail } from './error-lines.ts';
import type { StageFacts, TriageClass } from './facts.ts';

/** What people hear of a failure and what the dispatcher does next; how often, the packet's budgets say. */
interface Advice {
  policy: Policy;
  /** Two things that people can do. */
  actions: readonly [string, string];
  /** What resuming alone would not fix. */
  first?: string;
}

export type Policy = 'stop' | 'retry' | 'digest-retry' | 'wait';

const advice: Readonly<Record<TriageClass, Advice>> = {
  scope_violation: {
    policy: 'stop',
    actions: [
      'Read the gate reasons: what was changed out of scope was undone and is kept as a patch in the packet.',
      'If those changes are wanted, add their paths to scope.allow in manifest.yaml; if not, say so in inputs/user_request.md.',
    ],
    first: 'widen scope.allow in manifest.yaml, or narrow the request',
  },
  contract_violation: {
    policy: 'stop',
    actions: [
      'Read the gate reasons and the output of the stage: a part is missing, or an acceptance command failed.',
      'Make the request or the context pack clearer, or mend what the command shows; then resume.',
    ],
    first: 'look at the gate reasons above',
  },
  tooling: {
    policy: 'stop',
    actions: [
      fix`Check that the program is installed and starts: "${command`agents`}" shows what is found.`.text,
      fix`Check the model and the options in configs/ and manifest.yaml: "${command`packet config`}" shows what is used.`
        .text,
    ],
    first: 'mend what the reason above says',
  },
  transient: {
    policy: 'retry',
    actions: [
      'Resume the packet: a later try may simply work.',
      'If it comes again, read the end of the .err file of the stage, and check the network.',
    ],
  },
  prompt_too_large: {
    policy: 'digest-retry',
    actions: [
      'Set context.digest_policy to aggressive in manifest.yaml.',
      'Shorten inputs/user_request.md, or take files out of inputs/attachments/.',
    ],
    first: 'shorten the inputs',
  },
  auth: {
    policy: 'stop',
    actions: [
      'Log in with the program again, or renew its API key, in the environment that docket runs in.',
      'Then resume: stages that are done do not run again.',
    ],
    first: 'log in to {tool} again',
  },
  limit: {
    policy: 'wait',
    actions: [
      'Wait until the limit is over, then resume.',
      'Or choose another model for this tool with routing.model in manifest.yaml.',
    ],
    first: 'wait for the limit to end',
  },
  timeout: {
    policy: 'retry',
    actions: [
      'Raise budgets.max_wallclock_sec in manifest.yaml if the work is that long.',
      'Make the request smaller, or split it into several packets.',
    ],
    first: 'raise budgets.max_wallclock_sec, or make the request smaller',
  },
  budget: {
    policy: 'stop',
    actions: [
      'Read in outputs/_summary.md what the calls were spent on.',
      'Raise the budget in manifest.yaml if more is wanted, then resume.',
    ],
    first: 'raise the budget in manifest.yaml',
  },
  unknown: {
    policy: 'stop',
    actions: [
      'Read the .err file and the output of the stage.',
      'Resume when you know what was wrong; if the agent refused, word the request differently.',
    ],
    first: 'read the .err file',
  },
};

export function policyOf(found: TriageClass): Policy {
  return advice[found].policy;
}

export function actionsFor(found: TriageClass, error?: { resetAt?: string }): string[] {
  const isDated = found === 'limit' && error?.resetAt !== undefined;
  return [...(isDated ? [`The limit ends at ${error.resetAt}.`] : []), ...advice[found].actions];
}

/** What a person has to do before they resume, if anything. */
export function firstFor(found: TriageClass, tool: string): string | undefined {
  return advice[found].first?.replace('{tool}', tool);
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
