import path from 'node:path';
import { commandRights } from '../../app/command-rights.ts';
import { readConfig } from '../../app/config.ts';
import { maskingFor } from '../../app/masking.ts';
import type { Places } from '../../app/run.ts';
import { runCommands, type CommandResult } from '../../gate/commands.ts';
import type { Task } from '../../task/schema.ts';
import { withTrial } from '../../workspace/merge-trial.ts';

const longestMs = 30 * 60_000;
const outputBytes = 64 * 1024;

/** Runs them on a commit in a work tree of its own, held as the agents of these tasks were. Returns those that failed. */
export async function failuresOn(
  commit: string,
  commands: readonly string[],
  {
    root,
    dir,
    env,
    tasks,
    signal,
  }: Pick<Places, 'root' | 'dir' | 'env'> & { tasks: readonly Task[]; signal: AbortSignal },
): Promise<CommandResult[]> {
  if (commands.length === 0) return [];
  const config = await readConfig(root, env);
  const mask = maskingFor({ root, env }, config);
  const ran = await withTrial(root, dir, commit, (cwd) =>
    runCommands(commands, {
      cwd,
      env,
      dir: path.join(dir, 'trial-commands'),
      timeoutMs: longestMs,
      outputBytes,
      signal,
      mask,
      ...commandRights(tasks, config, root),
    }),
  );
  signal.throwIfAborted();
  return ran.filter(({ code }) => code !== 0);
}
