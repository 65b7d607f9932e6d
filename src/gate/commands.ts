import path from 'node:path';
import { longestTimerMs } from '../io/clock.ts';
import { listDir, makeDir } from '../io/files.ts';
import { removeTree } from '../io/folders.ts';
import { allowedEnv } from '../io/process/environment.ts';
import { findProgram } from '../io/process/find-program.ts';
import { endLeftover } from '../io/process/leftover.ts';
import { newMark } from '../io/process/new-mark.ts';
import type { OutputMask } from '../io/process/process.ts';
import { readEnds } from '../io/process/read-ends.ts';
import { startProcess } from '../io/process/start.ts';
import { places } from '../io/process/supervisor.ts';
import { dangerIn } from './dangerous.ts';
import { heldCommand } from './held-command.ts';

export interface CommandResult {
  command: string;
  /** 124: it took too long. 126: it was not run. */
  code: number;
  /** What it said on both channels; of much, the beginning and the end. */
  output: string;
  timedOut: boolean;
  /** Why it looks dangerous. One that a model wrote is not run then; a person's is. */
  danger?: string;
}

export interface CommandOptions {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** A folder of ours for their output while they run. */
  dir: string;
  /** For each of them. */
  timeoutMs: number;
  outputBytes: number;
  signal: AbortSignal;
  /** Takes secrets out of what they say, before it is written down. */
  mask?: OutputMask;
  /** The project's root, where the work is of somebody whom nobody vouches for: they are held as its agents are. */
  low?: string | undefined;
  /** Written by a model: it gets no keys from the environment, and nothing dangerous is run. */
  fromModel?: boolean;
}

/** More than this fills a disk. */
const mostOutput = 256 * 1024 ** 2;

/** Runs all of them, one after the other, also after one that failed; an abort ends the one that runs and skips the rest. */
export async function runCommands(
  commands: readonly string[],
  options: CommandOptions,
): Promise<CommandResult[]> {
  const { dir, fromModel = false, signal } = options;
  for (const name of listDir(dir)) await endLeftover(path.join(dir, name));
  removeTree(dir);
  const results: CommandResult[] = [];
  for (const [index, command] of commands.entries()) {
    if (signal.aborted) break;
    const danger = dangerIn(command);
    const told = { command, ...(danger !== undefined && { danger }) };
    if (fromModel && danger !== undefined)
      results.push({ ...told, code: 126, output: `not run: ${danger}\n`, timedOut: false });
    else results.push({ ...told, ...(await run(command, path.join(dir, String(index)), options)) });
  }
  removeTree(dir); // it may hold secrets
  return results;
}

async function run(
  command: string,
  dir: string,
  { cwd, env: given, timeoutMs, outputBytes, signal, mask, low, fromModel = false }: CommandOptions,
): Promise<Pick<CommandResult, 'code' | 'output' | 'timedOut'>> {
  makeDir(dir);
  const all = allowedEnv(given, { cwd, pass: fromModel ? [] : ['*'] });
  const shell = findProgram('bash', all, cwd) ?? '/bin/sh';
  // Both channels into one, in the order in which it was said.
  const words = [shell, '-c', 'exec "$0" -c "$1" 2>&1', shell, command];
  const mark = newMark();
  const held = low === undefined ? undefined : await heldCommand(words, { root: low, cwd, dir, mark }, given);
  const { argv, env } = held ?? { argv: words, env: all };
  const child = await startProcess({
    argv,
    cwd,
    env,
    stdin: { text: '' },
    dir,
    mark,
    maxOutputBytes: mostOutput,
    ...(mask && { mask }),
  });
  const stop = () => void child.stop('canceled').catch(() => undefined); // `exited` tells
  const timer = setTimeout(
    () => void child.stop('timeout').catch(() => undefined),
    Math.min(timeoutMs, longestTimerMs),
  );
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop(); // while it was being started
  try {
    const { code, stopped } = await child.exited;
    const timedOut = stopped === 'timeout';
    const output = readEnds(places(dir).stdout, outputBytes);
    return {
      code: timedOut ? 124 : stopped !== undefined && code === 0 ? 1 : (code ?? 1),
      output: mask?.text(output) ?? output,
      timedOut,
    };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
