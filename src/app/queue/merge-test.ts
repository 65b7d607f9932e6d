import path from 'node:path';
import { runCommands, type CommandResult } from '../../gate/commands.ts';
import { withTrial } from '../../workspace/merge-trial.ts';
import { readConfig } from '../config.ts';
import { maskingFor } from '../masking.ts';
import type { Places } from '../run.ts';

const longestMs = 30 * 60_000;
const outputBytes = 64 * 1024;

/** Runs them on a commit in a work tree of its own. `low`: held as the agents of such work are. Returns those that failed. */
export async function failuresOn(
  commit: string,
  commands: readonly string[],
  {
    root,
    dir,
    env,
    low,
    signal,
  }: Pick<Places, 'root' | 'dir' | 'env'> & { low: boolean; signal: AbortSignal },
): Promise<CommandResult[]> {
  if (commands.length === 0) return [];
  const mask = maskingFor({ root, env }, await readConfig(root, env));
  const ran = await withTrial(root, dir, commit, (cwd) =>
    runCommands(commands, {
      cwd,
      env,
      dir: path.join(dir, 'trial-commands'),
      timeoutMs: longestMs,
      outputBytes,
      signal,
      mask,
      low: low ? root : undefined,
    }),
  );
  signal.throwIfAborted();
  return ran.filter(({ code }) => code !== 0);
}
