import { DocketError } from '../errors.ts';
import { markVariable } from '../io/process/mark.ts';
import type { Project } from './project.ts';

/** docket was started by one of its own agents: what it asks for is not a person's. */
export function isAgent(env: Project['env']): boolean {
  return (env[markVariable] ?? '') !== '';
}

/** For what people decide. An agent that is not in a sandbox can take its mark off: this is a rail, not a wall. */
export function assertPerson(env: Project['env'], what: string, data: Record<string, unknown> = {}): void {
  if (!isAgent(env)) return;
  throw new DocketError(
    'REFUSED',
    `an agent cannot ${what}`,
    'a person must do it, outside of any run',
    data,
  );
}

/** Commands that look, and those that add work: that is of low trust. What is not named here people decide. */
const forAgents: ReadonlySet<string> = new Set(
  [
    ['add', 'task create', 'say', 'board apply', 'mcp'],
    ['status', 'needs-me', 'list', 'show', 'explain', 'evidence', 'logs', 'diff', 'disk', 'ps', 'trust'],
    ['cost', 'budget', 'limits', 'gate list', 'agents', 'doctor', 'validate'],
    ['task list', 'task show', 'task events', 'task export', 'task validate'],
    ['packet status', 'packet list', 'packet config', 'packet validate'],
    ['board status', 'board synthesize', 'board route', 'board validate'],
    ['workflow list', 'workflow show', 'workflow check', 'workflow graph'],
    ['chat status', 'notify status', 'skill show', 'completion', 'help', 'version'],
  ].flat(),
);

/** With these they do more than that. */
const withMore: Readonly<Record<string, string>> = {
  add: 'budget',
  list: 'interactive',
  ps: 'end-strays',
  mcp: 'answers',
};

/** One line of the command line, whoever calls it. */
export function assertMayCall(
  env: Project['env'],
  command: string,
  options: ReadonlyMap<string, unknown>,
): void {
  const more = withMore[command];
  const does = more !== undefined && options.has(more) ? `${command} --${more}` : command;
  if (does === command && forAgents.has(command)) return;
  assertPerson(env, `call docket ${does}: people decide that`, { command: does });
}
