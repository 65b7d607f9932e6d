import path from 'node:path';
import { exists } from '../io/links.ts';

const wanting =
  /no such file|not found|cannot find|can't open|could not (?:open|find)|ENOENT|MODULE_NOT_FOUND|EACCES|permission denied/i;

/**
 * For an agent that died in the sandbox of a task that nobody vouches for, and speaks of something that is missing: a person
 * who looks for it finds it there. What is missing outside as well is no matter of the sandbox.
 */
export function hiddenFrom(message: string, taskId: string): string {
  if (!wanting.test(message)) return '';
  const named =
    message.match(/(?<![\w.])\/[^\s:'"`,;()]+/g)?.filter((file) => path.dirname(file) !== '/') ?? [];
  const there = named.find((file) => exists(file));
  if (named.length > 0 && there === undefined) return '';
  const what = there === undefined ? 'most of your folders' : `${there} or what it needs`;
  return `; it ran in the sandbox for low trust, which may hide ${what}: docket trust ${taskId} high (if you vouch for it) runs it without, trust.paths opens a folder`;
}
