import { claimsInAnswer } from '../../gate/answer-claims.ts';
import type { CommandResult } from '../../gate/commands.ts';
import { briefHandoff, checkContract } from '../../gate/contracts.ts';
import { diffIn } from '../../gate/diff.ts';
import { outOfScope } from '../../gate/scope.ts';
import type { OutputMask } from '../../io/process/process.ts';
import type { StageSettings } from '../../layout/packet/config/stage-settings.ts';
import type { StageFacts } from '../../layout/packet/facts.ts';
import type { Manifest } from '../../layout/packet/manifest.ts';
import { parseStage } from '../../layout/packet/stages.ts';
import type { Claims } from '../../report/claims.ts';
import { applyDiff } from '../../workspace/apply-diff.ts';
import { changesSince, type Change } from '../../workspace/changes.ts';
import { byOldRules } from '../../workspace/ignore-rules.ts';
import type { Snapshot, WorkTree } from '../../workspace/snapshot.ts';
import { keepInside } from '../../workspace/undo.ts';
import type { Where } from '../one-store.ts';
import { writeOutput } from './files.ts';
import type { TrustedByStage } from './left-by-agents.ts';
import type { PacketPlace } from './place.ts';
import type { Redactor } from './redactor.ts';
import { overrideFile, verified } from './stage-verify.ts';

export interface GateInput {
  settings: StageSettings;
  /** What the agent answered, as it is. */
  text: string;
  manifest: Manifest;
  tree: WorkTree;
  /** Of stages that may write: the tree as it was before. */
  before: Snapshot | undefined;
  /** The tree before any stage of the packet wrote to it. */
  base: Snapshot | undefined;
  dir: string;
  place: PacketPlace;
  where: Where;
  redactor: Redactor;
  mask: OutputMask;
  /** Nobody vouches for the packet: its commands are held as its agents are. */
  low: boolean;
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

type Held = Pick<GateInput, 'manifest' | 'tree' | 'before' | 'settings' | 'dir' | 'redactor'>;
export type StageGate = StageFacts['gate'] & Pick<StageFacts, 'undone' | 'commands'>;
export const passed: StageGate = { result: 'pass', reasons: [] };

/** Whether the stage's work counts. What lies out of scope is undone first, and kept as a patch. */
export async function judgeStage(input: GateInput): Promise<StageGate> {
  const { settings, text } = input;
  const gate = parseStage(settings.stage)?.gate;
  const applies = gate === 'impl' || gate === 'runbook';
  const edited = applies && input.before ? await changesSince(input.tree, input.before) : [];
  const unapplied = applies && edited.length === 0 ? await implemented(input, gate) : [];
  const scope = await heldToScope(input, edited.length > 0 ? edited : undefined);
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
async function implemented({ text, tree, base }: GateInput, gate: string): Promise<string[]> {
  const diff = diffIn(text);
  if (diff !== undefined) {
    const outcome = await applyDiff(tree, diff);
    return typeof outcome === 'object' ? [`the diff does not apply: ${outcome.problem}`] : [];
  }
  const done = gate === 'runbook' || (base && (await changesSince(tree, base)).length > 0);
  return done ? [] : ['nothing was changed, and the answer holds no diff'];
}

/** Undefined: nothing is out of scope. */
export async function heldToScope(input: Held, edited?: Change[]): Promise<StageGate | undefined> {
  const { manifest, tree, before, settings, dir, redactor } = input;
  if (!before) return undefined;
  const reasons = new Map<string, string>();
  const isOutside = (path: string): boolean => outOfScope([{ path }], manifest.scope).length > 0;
  const seen = await byOldRules(tree, before, edited ?? (await changesSince(tree, before)), isOutside);
  const { undone, patch } = await keepInside(
    tree,
    before,
    (changes) => {
      const counted = changes.filter(({ path }) => !seen.wasIgnored(path));
      const outside = outOfScope(counted, manifest.scope);
      for (const { path, reason } of outside) reasons.set(path, reason);
      return outside.map(({ path }) => path);
    },
    seen.changes,
  );
  if (undone.length === 0) return undefined;
  const name = `outputs/${settings.stage}.undone.patch`;
  writeOutput(dir, name, await redactor.redact(patch.toString('utf8')));
  return {
    result: 'scope_violation',
    reasons: undone.slice(0, 50).map((path) => `${path}: ${reasons.get(path) ?? 'out of scope'} (undone)`),
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
