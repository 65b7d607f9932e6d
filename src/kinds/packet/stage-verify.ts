import path from 'node:path';
import { type CommandOptions, type CommandResult, runCommands } from '../../gate/commands.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { changedSince } from '../../workspace/changes.ts';
import { byOldRules } from '../../workspace/ignore-rules.ts';
import { takeSnapshot } from '../../workspace/snapshot.ts';
import { keepInside } from '../../workspace/undo.ts';
import { readInput, writeOutput } from './files.ts';
import type { GateInput, StageGate } from './stage-gate.ts';
import { putBackTouched, trustedNow } from './trusted.ts';

export const overrideFile = 'state/acceptance.commands.override';
const commandBytes = 64 * 1024;
const shown = 20;

/** The person's commands, in their tree, and behind them those that a brief found. Both have to pass. */
export async function verified(input: GateInput): Promise<Pick<StageGate, 'reasons' | 'commands'>> {
  const { manifest, settings, dir, place, home, where, redactor, signal, mask, watched, rights } = input;
  const told = (readInput(dir, overrideFile) ?? '').split('\n').filter((line) => line.trim() !== '');
  const own = manifest.acceptance.commands;
  const found = told.filter((command) => !own.includes(command));
  const options = {
    cwd: home,
    dir: path.join(makeOwnFolder(place.raw, 'tree'), 'commands'),
    env: where.env,
    timeoutMs: (manifest.budgets.max_wallclock_sec || 600) * 1000,
    outputBytes: commandBytes,
    signal,
    mask,
    ...rights,
  };
  const asked = await watched(commandBytes, (outputBytes) => runCommands(own, { ...options, outputBytes }));
  const { results, undone } = await ofModel(found, options, input);
  const all = [...asked, ...results];
  const text = artifactText(settings.stage, new Date(where.clock.now()).toISOString(), all);
  const file = `outputs/${settings.stage}.artifact.md`;
  writeOutput(dir, file, await redactor.redact(text));
  const failed = all.filter(({ code }) => code !== 0);
  const [first] = failed;
  const reasons = [
    ...failed.map(
      ({ command, code, timedOut }) => `${command}: ${timedOut ? 'took too long' : `exit code ${code}`}`,
    ),
    ...undone.slice(0, 20).map((name) => `${name}: changed by a command of the brief (undone)`),
  ];
  if (!first) return { reasons };
  const printed = (await redactor.redact(first.output)).trimEnd();
  const lines = printed === '' ? [] : printed.split('\n');
  const tail = lines.slice(-shown).map((line) => line.slice(0, 300));
  return { reasons, commands: { file, lines: lines.length, tail } };
}

/** Commands that a model wrote look at the work in the packet's copy; whatever they do to it is undone. */
async function ofModel(
  commands: readonly string[],
  options: CommandOptions,
  { tree, where, place }: Pick<GateInput, 'tree' | 'where' | 'place'>,
): Promise<{ results: CommandResult[]; undone: string[] }> {
  if (commands.length === 0) return { results: [], undone: [] };
  const before = await takeSnapshot(tree);
  const trusted = trustedNow(where, place.id);
  const results = await runCommands(commands, { ...options, cwd: tree.root, fromModel: true });
  const seen = await byOldRules(tree, before, (await changedSince(tree, before)).changes, () => true);
  const { undone } = await keepInside(
    tree,
    before,
    (changes) => changes.map((change) => change.path).filter((name) => !seen.wasIgnored(name)),
    seen.changes,
  );
  const touched = await putBackTouched(where, place, trusted);
  return { results, undone: [...(touched?.paths ?? []), ...undone] };
}

/** What the commands of a verify gate said, for people and for the agents that come after. */
function artifactText(
  stage: string,
  at: string,
  results: readonly { command: string; code: number; output: string }[],
): string {
  const parts = results.map(({ command, code, output }) => {
    const runs = output.match(/`{3,}/g) ?? [];
    const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
    return `## Command: \`${command}\`\n\n${fence}\n${output.trimEnd()}\n${fence}\n\nExit code: ${code}\n`;
  });
  return [`# Verify Gate Results\n\nStage: ${stage}\nTimestamp: ${at}\n`, ...parts].join('\n');
}
