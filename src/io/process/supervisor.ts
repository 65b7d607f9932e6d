import path from 'node:path';
import { readSmallFile } from '../plain-file.ts';

/**
 * Stands between docket and the agent, so that the exit code is on disk also when docket has died. A shell, because it
 * costs a millisecond and a megabyte. Everything comes as a parameter, nothing is ever pasted into the text.
 *
 * - The traps have a handler instead of ignoring: the agent then starts with the default, and the shell outlives a
 *   signal to the group. The agent runs in the foreground: in the background it would start with SIGINT ignored.
 * - `set -C` never writes through a link that the agent put in the place of a file of ours.
 * - What cannot write its number does not start: the disk is full, or a later docket has given this attempt up.
 * - The code is also our own exit code: a docket that lives needs no disk to learn it.
 * - The limit marks all that it starts (mark.ts). Where it cannot be set, the other marks have to do.
 */
const script = `trap : HUP INT QUIT PIPE ALRM USR1 USR2 TERM
set -C
dir=$1
[ -z "$2" ] || ulimit -m "$2" 2>/dev/null
shift 2
printf '%s\\n' "$$" >"$dir/pid" || exit 125
"$@"
code=$?
printf '{"code":%s}\\n' "$code" >"$dir/exit.json"
exit "$code"`;

/** How it is known in a list of processes. */
export const supervisorName = 'docket-supervisor';

/** The command's program is absolute: a name without a slash could be a builtin of the shell. */
export function supervised(
  dir: string,
  limit: string,
  command: readonly string[],
): { file: string; args: string[] } {
  return { file: '/bin/sh', args: ['-c', script, supervisorName, dir, limit, ...command] };
}

/** What an attempt's folder holds. */
export const places = (dir: string) => ({
  prompt: path.join(dir, 'prompt'),
  start: path.join(dir, 'start.json'),
  stdout: path.join(dir, 'events.jsonl'),
  stderr: path.join(dir, 'stderr.log'),
  pid: path.join(dir, 'pid'),
  exit: path.join(dir, 'exit.json'),
});

/** The supervisor's pid, which is also its group's and its session's. Undefined: it never began. */
export function recordedPid(dir: string): number | undefined {
  const found = /^(\d{1,10})\n$/.exec(readSmallFile(places(dir).pid) ?? '');
  return found ? Number(found[1]) : undefined;
}

/** Only a whole record counts: one that was cut off by a crash or a full disk is none. */
export function recordedCode(dir: string): number | undefined {
  const found = /^\{"code":(\d{1,3})\}\n$/.exec(readSmallFile(places(dir).exit) ?? '');
  return found ? Number(found[1]) : undefined;
}
