import path from 'node:path';
import { runCommands, type CommandResult } from '../../gate/commands.ts';
import type { Task } from '../../task/schema.ts';
import { withTrial } from '../../workspace/merge-trial.ts';
import type { Places } from '../run.ts';

const longestMs = 30 * 60_000;
const outputBytes = 64 * 1024;

/** The commands of a task that prove its work, for a shell. */
export function commandsOf({ spec }: Task): string[] {
  return (spec.acceptance?.commands ?? []).map((argv) => argv.map(quoted).join(' '));
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Runs them on a commit in a work tree of its own. Returns those that failed. */
export async function failuresOn(
  commit: string,
  commands: readonly string[],
  { root, dir, env, signal }: Pick<Places, 'root' | 'dir' | 'env'> & { signal: AbortSignal },
): Promise<CommandResult[]> {
  if (commands.length === 0) return [];
  const ran = await withTrial(root, dir, commit, (cwd) =>
    runCommands(commands, {
      cwd,
      env,
      dir: path.join(dir, 'trial-commands'),
      timeoutMs: longestMs,
      outputBytes,
      signal,
    }),
  );
  signal.throwIfAborted();
  return ran.filter(({ code }) => code !== 0);
}
