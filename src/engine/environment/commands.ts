import path from 'node:path';
import { type CommandResult, runCommands } from '../../gate/commands.ts';
import { appendPlain, writePlain } from '../../io/plain-file.ts';
import { variablesOf, type EnvironmentOptions, type SetupCommand } from './plan.ts';
import { forgetMade, readMade, readPorts, environmentFolder } from './record.ts';
import { commandsFolder } from './use.ts';

/** Of one command's output so much is kept. */
const keptOutput = 1024 * 1024;
const shownLines = 20;
const longestLine = 300;

interface Failed {
  /** What happened, the end of what it said, and where all of it is. */
  text: string;
}

interface Running extends Pick<EnvironmentOptions, 'env' | 'redact' | 'mask'> {
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

/**
 * Runs a workspace's teardown, if it was set up and that was not undone yet. Returns what went wrong; then it is still to
 * be done. After it the workspace counts as never set up: a task that is taken up again begins with its setup.
 */
export async function tearDown(
  options: EnvironmentOptions,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { plan, root, key, workspace, env, redact } = options;
  if (!workspace || plan.teardown.length === 0) return undefined;
  const folder = environmentFolder(root, key);
  if (!readMade(folder)) return undefined;
  const cwd = options.cwd();
  const variables = variablesOf(options, readPorts(folder));
  const running = {
    cwd,
    env: { ...env, ...variables },
    folder,
    log: 'teardown.log',
    signal,
    redact,
    ...held(options),
  };
  const failed = await runSetup(plan.teardown, running);
  if (failed) return `teardown failed: ${failed.text}`;
  if (signal.aborted) return 'the teardown was interrupted: it is run before the workspace is removed';
  forgetMade(folder);
  return undefined;
}

/** The agents have been there. */
function held({ low, root, mask }: EnvironmentOptions) {
  return { low: low && root, ...(mask && { mask }) };
}
