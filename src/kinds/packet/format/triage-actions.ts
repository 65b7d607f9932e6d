import type { TriageClass } from './facts.ts';

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
