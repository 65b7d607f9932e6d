import path from 'node:path';
import { runCommands, type CommandResult } from '../gate/commands.ts';
import { appendPlain, writePlain } from '../io/plain-file.ts';
import type { SettingOptions, SetupCommand } from './setting-plan.ts';
import { commandsFolder } from './setting-use.ts';

/** Of one command's output so much is kept. */
const keptOutput = 1024 * 1024;
const shownLines = 20;
const longestLine = 300;

interface Failed {
  /** What happened, the end of what it said, and where all of it is. */
  text: string;
}

interface Running extends Pick<SettingOptions, 'env' | 'redact' | 'mask'> {
  cwd: string;
  /** docket's own folder for the setting. */
  folder: string;
  /** The file for what they print. */
  log: string;
  signal: AbortSignal;
  /** The project's root, where they are held as the agents are. */
  low?: string | undefined;
  /** The first so many were run before. */
  done?: number;
  onDone?: (count: number) => void;
}

/** One after the other, up to the first that fails; an abort ends the one that runs and is no failure. */
export async function runSetup(
  commands: readonly SetupCommand[],
  { cwd, env, folder, log: name, signal, redact, mask, low, done = 0, onDone }: Running,
): Promise<Failed | undefined> {
  const log = path.join(folder, name);
  const dir = path.join(folder, commandsFolder);
  if (done < commands.length) writePlain(log, '');
  for (const [at, { run, seconds }] of commands.entries()) {
    if (at < done) continue;
    const limits = { timeoutMs: seconds * 1000, outputBytes: keptOutput };
    // People's own commands, mostly run before any agent: they may need keys to registries and services.
    const options = { cwd, env, dir, ...limits, signal, low, pass: ['*'], ...(mask && { mask }) };
    const [result] = await runCommands([run], options);
    if (!result || signal.aborted) return undefined;
    const output = redact(result.output);
    appendPlain(log, `$ ${redact(run)}\n${output.trimEnd()}\n[${endOf(result, seconds)}]\n\n`);
    if (result.code !== 0) return { text: failureText(redact(run), endOf(result, seconds), output, log) };
    onDone?.(at + 1);
  }
  return undefined;
}

function endOf({ code, timedOut }: CommandResult, seconds: number): string {
  return timedOut ? `ended after ${seconds} s, which is all it may take` : `exit code ${code}`;
}

function failureText(command: string, end: string, output: string, log: string): string {
  const lines = output.trimEnd().split('\n');
  const tail = lines.slice(-shownLines).map((line) => line.slice(0, longestLine));
  const more = lines.length > shownLines ? [`… (${lines.length - shownLines} lines before)`] : [];
  const said = output.trim() === '' ? ['(it printed nothing)'] : [...more, ...tail];
  return [`\`${command.slice(0, 500)}\`: ${end}`, ...said, `the whole log: ${log}`].join('\n');
}
