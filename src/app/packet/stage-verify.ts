import path from 'node:path';
import { runCommands, type CommandOptions, type CommandResult } from '../../gate/commands.ts';
import { takeSnapshot, type WorkTree } from '../../workspace/snapshot.ts';
import { keepInside } from '../../workspace/undo.ts';
import { artifactText } from './artifact.ts';
import { readInput, writeOutput } from './files.ts';
import type { GateInput } from './stage-gate.ts';

export const overrideFile = 'state/acceptance.commands.override';
const commandBytes = 64 * 1024;

/** The person's commands, and behind them those that a brief found. Both have to pass. */
export async function verified(input: GateInput): Promise<string[]> {
  const { manifest, settings, dir, tree, where, redactor, signal } = input;
  const told = (readInput(dir, overrideFile) ?? '').split('\n').filter((line) => line.trim() !== '');
  const own = manifest.acceptance.commands;
  const found = told.filter((command) => !own.includes(command));
  const options = {
    cwd: where.root,
    dir: path.join(tree.home, 'commands'),
    env: where.env,
    timeoutMs: (manifest.budgets.max_wallclock_sec || 600) * 1000,
    outputBytes: commandBytes,
    signal,
  };
  const asked = await runCommands(own, options);
  const { results, undone } = await ofModel(found, options, tree);
  const all = [...asked, ...results];
  const text = artifactText(settings.stage, new Date(where.clock.now()).toISOString(), all);
  writeOutput(dir, `outputs/${settings.stage}.artifact.md`, await redactor.redact(text));
  const failed = all.filter(({ code }) => code !== 0);
  return [
    ...failed.map(
      ({ command, code, timedOut }) => `${command}: ${timedOut ? 'took too long' : `exit code ${code}`}`,
    ),
    ...undone.slice(0, 20).map((name) => `${name}: changed by a command of the brief (undone)`),
  ];
}

/** Commands that a model wrote look at the work; whatever they do to it is undone. */
async function ofModel(
  commands: readonly string[],
  options: CommandOptions,
  tree: WorkTree,
): Promise<{ results: CommandResult[]; undone: string[] }> {
  if (commands.length === 0) return { results: [], undone: [] };
  const before = await takeSnapshot(tree);
  const results = await runCommands(commands, { ...options, fromModel: true });
  const { undone } = await keepInside(tree, before, (changes) => changes.map((change) => change.path));
  return { results, undone };
}
