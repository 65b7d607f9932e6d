import path from 'node:path';
import { runCommands, type CommandResult } from '../../gate/commands.ts';
import { commandRights } from '../../settings/command-rights.ts';
import { maskingFor } from '../../settings/masking.ts';
import { readConfig } from '../../settings/read-config.ts';
import type { Task } from '../../task/schema.ts';
import { withTrial } from '../../workspace/merge-trial.ts';
import type { QueueProject } from './queue-project.ts';

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
  }: Pick<QueueProject, 'root' | 'dir' | 'env'> & { tasks: readonly Task[]; signal: AbortSignal },
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
