import { markVariable } from '../io/process/mark.ts';

/** docket was started by one of its own agents: what it asks for is not a person's. */
export function isAgent(env: Readonly<Record<string, string | undefined>>): boolean {
  return (env[markVariable] ?? '') !== '';
}
