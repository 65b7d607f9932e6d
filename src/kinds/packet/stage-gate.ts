import path from 'node:path';
import {
  type CommandOptions,
  type CommandResult,
  type CommandRights,
  runCommands,
} from '../../gate/commands.ts';
import { briefHandoff, checkContract, claimsInAnswer } from '../../gate/contracts.ts';
import { diffIn } from '../../gate/diff.ts';
import { notToApply, outOfScope } from '../../gate/scope.ts';
import { linkAt } from '../../io/links.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import type { OutputMask } from '../../io/process/process.ts';
import { codeBlock } from '../../render/markdown.ts';
import type { Claims } from '../../report/claims.ts';
import type { Project } from '../../settings/project.ts';
import { applyDiff } from '../../workspace/apply-diff.ts';
import { type Changed, changedSince } from '../../workspace/changes.ts';
import { byOldRules } from '../../workspace/ignore-rules.ts';
import { type Snapshot, takeSnapshot, type WorkTree } from '../../workspace/snapshot.ts';
import { keepInside } from '../../workspace/undo.ts';
import { repairRepository } from '../../workspace/work-copy.ts';
import { bringToPeople, carriedNames, heldByConflict } from './copies.ts';
import { readInput, writeOutput } from './files.ts';
import type { StageFacts } from './format/facts.ts';
import type { Manifest } from './format/manifest.ts';
import type { StageSettings } from './format/resolve.ts';
import { parseStage } from './format/stages.ts';
import type { PacketPlace } from './place.ts';
import type { Redactor } from './redactor.ts';
import { putBackTouched, type TrustedByStage, trustedNow } from './trusted.ts';

const overrideFile = 'state/acceptance.commands.override';
const commandBytes = 64 * 1024;
const shown = 20;

/** The person's commands, in their tree, and behind them those that a brief found. Both have to pass. */
async function verified(input: GateInput): Promise<Pick<StageGate, 'reasons' | 'commands'>> {
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
  const parts = results.map(
    ({ command, code, output }) =>
      `## Command: \`${command}\`\n\n${codeBlock(output.trimEnd())}\n\nExit code: ${code}\n`,
  );
  return [`# Verify Gate Results\n\nStage: ${stage}\nTimestamp: ${at}\n`, ...parts].join('\n');
}

export interface GateInput {
  settings: StageSettings;
  /** What the agent answered, as it is. */
  text: string;
  manifest: Manifest;
  /** Where its agent works. */
  tree: WorkTree;
  /** Of stages that may write: the tree as it was before. */
  before: Snapshot | undefined;
  /** People's tree. */
  home: string;
  dir: string;
  place: PacketPlace;
  where: Project;
  redactor: Redactor;
  mask: OutputMask;
  /** Its commands are held as its agents are. */
  rights: CommandRights;
  /** Keeps what its commands came to. */
  watched: (
    shown: number,
    run: (outputBytes: number) => Promise<CommandResult[]>,
  ) => Promise<CommandResult[]>;
  /** What of this docket sees otherwise. */
  untrue: (claims: Claims) => Promise<string[]>;
  signal: AbortSignal;
  trusted: TrustedByStage;
}

type Held = Pick<GateInput, 'manifest' | 'tree' | 'home' | 'before' | 'settings' | 'place' | 'redactor'>;
export type StageGate = StageFacts['gate'] & Pick<StageFacts, 'undone' | 'commands'>;
export const passed: StageGate = { result: 'pass', reasons: [] };

/** Whether the stage's work counts. What lies out of scope is taken out first, and kept as a patch. */
export async function judgeStage(input: GateInput): Promise<StageGate> {
  const { settings, text } = input;
  const gate = parseStage(settings.stage)?.gate;
  const applies = gate === 'impl' || gate === 'runbook';
  repairRepository(input.tree);
  const edited = applies && input.before ? await changedSince(input.tree, input.before) : undefined;
  const isEdited = edited !== undefined && edited.changes.length > 0;
  const unapplied = applies && !isEdited ? await implemented(input, gate) : [];
  const scope = await keptToScope(input, isEdited ? edited : undefined);
  if (scope) return scope;
  const { reasons } = gate === 'impl' ? { reasons: [] } : await checkContract(settings.role, text);
  const { reasons: failed, ...printed } = gate === 'verify' ? await verified(input) : { reasons: [] };
  const wrong = [...unapplied, ...reasons, ...failed];
  const all = wrong.length > 0 ? wrong : await untrueIn(input);
  return all.length === 0 ? passed : { result: 'contract_violation', reasons: all, ...printed };
}

/** An answer that is what it should be must be true as well. */
async function untrueIn({ settings, text, untrue }: GateInput): Promise<string[]> {
  const found = await untrue(await claimsInAnswer(settings.role, text));
  return found.map((claim) => `the answer is not true: ${claim}`);
}

/**
 * An agent that edits files has implemented it; the diff of one that only answers is applied. One that finds it done, by
 * an earlier try of which the good part was kept, has nothing to add.
 */
async function implemented({ text, tree, place }: GateInput, gate: string): Promise<string[]> {
  const diff = diffIn(text);
  if (diff !== undefined) {
    const outcome = await applyDiff(tree, diff);
    return typeof outcome === 'object' ? [`the diff does not apply: ${outcome.problem}`] : [];
  }
  const done = gate === 'runbook' || carriedNames(place).length > 0;
  return done ? [] : ['nothing was changed, and the answer holds no diff'];
}

/** Undefined: nothing is out of scope. Where a person changed the same file, the run waits for them. */
export async function keptToScope(input: Held, edited?: Look): Promise<StageGate | undefined> {
  const { gate, conflict } = await heldToScope(input, edited);
  if (conflict) throw conflict;
  return gate;
}

interface Look {
  changes: Changed[];
  ignored: readonly string[];
}

/**
 * What an agent changed in its copy out of scope is taken out there and kept as a patch; the rest goes to people's tree.
 * `gate` is absent where all is in scope.
 */
export async function heldToScope(
  input: Held,
  edited?: Look,
): Promise<{ gate?: StageGate; conflict?: ReturnType<typeof heldByConflict> }> {
  const { manifest, tree, before, settings, place, home } = input;
  if (!before) return {};
  repairRepository(tree);
  const reasons = new Map<string, string>();
  const isOutside = (path: string): boolean => outOfScope([{ path }], manifest.scope).length > 0;
  const look = edited ?? (await changedSince(tree, before));
  const seen = await byOldRules(tree, before, look.changes, isOutside);
  const { kept, undone, patch } = await keepInside(
    tree,
    before,
    (changes) => {
      const counted = changes.filter(({ path }) => !seen.wasIgnored(path));
      const outside = notToApply(counted, manifest.scope, (path) => linkAt(tree.root, path));
      for (const { path, reason } of outside) reasons.set(path, reason);
      return outside.map(({ path }) => path);
    },
    seen.changes,
  );
  const mine = kept.filter(({ path }) => !seen.wasIgnored(path));
  const about = { stage: settings.stage, place, manifest, tree, home };
  const brought = bringToPeople(about, mine, look.ignored);
  const conflict = brought.conflicts.length > 0 && { conflict: heldByConflict(about, brought) };
  return { ...(undone.length > 0 && { gate: await outside(input, undone, reasons, patch) }), ...conflict };
}

async function outside(
  { place, settings, redactor }: Held,
  undone: readonly string[],
  reasons: ReadonlyMap<string, string>,
  patch: Buffer,
): Promise<StageGate> {
  const name = `outputs/${settings.stage}.undone.patch`;
  writeOutput(place.dir, name, await redactor.redact(patch.toString('utf8')));
  return {
    result: 'scope_violation',
    reasons: undone
      .slice(0, 50)
      .map((path) => `${path}: ${reasons.get(path) ?? 'out of scope'} (not applied)`),
    undone: { paths: await redactor.redactAll(undone.slice(0, 200)), patch: name },
  };
}

/** What a brief hands on: the context pack for those after it, and the commands that it found. */
export async function handOn(text: string, { dir, redactor }: GateInput): Promise<void> {
  const { contextPack, verifyCommands } = await briefHandoff(text);
  if (contextPack !== undefined)
    writeOutput(dir, 'inputs/context_pack.md', await redactor.redact(contextPack));
  const commands = verifyCommands.map((command) => `${command}\n`).join('');
  writeOutput(dir, overrideFile, await redactor.redact(commands));
}
