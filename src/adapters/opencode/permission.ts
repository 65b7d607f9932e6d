import type { Permission } from '../adapter.ts';

/**
 * The rules belong to an agent of our own: rules of an agent come behind all general ones and the last that fits
 * decides, so neither the user's general rules nor those of another agent lift them, and none of them is touched.
 */
export const agentName = 'docket';

/** Every tool that acts is named, beside the star: a key that a project's settings put before ours stays before. */
const acting = {
  bash: 'deny',
  task: 'deny',
  skill: 'deny',
  external_directory: 'deny',
  question: 'deny',
  plan_enter: 'deny',
  plan_exit: 'deny',
};

const looking = {
  read: 'allow',
  glob: 'allow',
  grep: 'allow',
  list: 'allow',
  lsp: 'allow',
  todowrite: 'allow',
};

/**
 * `edit` has no shell, because its guard reads the command's text and a redirection gets past it; and no subagents,
 * because they have rules of their own. Undefined: everything may be done.
 */
export function rulesFor(permission: Permission, sandboxed: boolean): Record<string, unknown> | undefined {
  if (permission === 'full' || sandboxed) return undefined;
  return { '*': 'deny', ...looking, edit: permission === 'edit' ? 'allow' : 'deny', ...acting };
}
