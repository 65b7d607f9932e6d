import type { Masking } from '../../engine/masking.ts';
import type { Prover } from '../../engine/prove.ts';
import { fenced, fencedWork } from '../../render/fence.ts';
import type { Config } from '../../settings/config.ts';
import type { Project } from '../../settings/project.ts';
import type { Store } from '../../store/store.ts';
import type { Task } from '../../task/schema.ts';
import { isLow } from '../../task/trust.ts';
import { noteOwnRules } from '../../workspace/ignore-rules.ts';
import { patchSince } from '../../workspace/patch.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { carriedNames, copyHome, sourceTree } from './copies.ts';
import { readNote, type Sent, writeNote, writeOutput } from './files.ts';
import type { Attached } from './format/compose.ts';
import type { StageFacts } from './format/facts.ts';
import type { DigestPolicy, Manifest } from './format/manifest.ts';
import type { Resolved, StageSettings } from './format/resolve.ts';
import { parseStage } from './format/stages.ts';
import { renderTask } from './format/task-part.ts';
import { assertNothingForbidden, composed, earlierOutputs, inputsOf, readGiven } from './inputs.ts';
import type { PacketPlace } from './place.ts';
import { ownWords } from './plan.ts';
import type { Redactor } from './redactor.ts';
import { type TrustedByStage, trustedNow } from './trusted.ts';

/** What all stages of a run share. */
export interface PacketRun {
  where: Project;
  /** People's tree, for which it works: the root, or the tree of the task that it is a part of. */
  cwd: string;
  place: PacketPlace;
  store: Store;
  manifest: Manifest;
  settings: Resolved;
  config: Config;
  redactor: Redactor;
  masking: Masking;
  prover: Prover;
  /** How often each error was met in this run. */
  tries: Map<string, number>;
  /** Before the first retry; it doubles. */
  pauseMs: number;
  /** What the last try of each stage came to, for who watches. */
  seen: Map<string, StageFacts>;
  trusted: TrustedByStage;
}

/** Composed, and written down as it will be sent. `tree`: the tree of this moment, where it is known. */
export async function prompted(
  settings: StageSettings,
  task: Task,
  packet: PacketRun,
  policy: DigestPolicy,
  tree?: Snapshot,
): Promise<Sent> {
  const { where, place, manifest, redactor } = packet;
  const { stage, tool, role } = settings;
  const given = readGiven(place.dir);
  assertNothingForbidden(given, manifest, ownWords(task));
  const extra = await attachedFor(settings, task, packet, tree);
  const goal = isLow(task) ? fencedWork(manifest.goal, 'the author of this task') : manifest.goal;
  const stages = packet.settings.stages.map((one) => one.stage);
  const parts = { ...given, extra, task: renderTask({ ...manifest, goal }, stage, stages) };
  const made = await composed(settings, parts, policy, { root: where.root, redactor });
  const name = `inputs/prompt/${tool}.${role}.md`;
  writeOutput(place.dir, name, made.prompt);
  if (made.digest !== undefined) writeOutput(place.dir, 'inputs/context_pack.digest.md', made.digest);
  const at = new Date(where.clock.now()).toISOString().slice(11, 19);
  const bytes = Buffer.byteLength(made.prompt);
  const log = `${made.sha256}\n[${at} INFO] compose_prompt: output ${bytes} bytes -> ${name}\n`;
  writeOutput(place.dir, `outputs/${stage}.${tool}.compose.log`, log);
  const inputs = inputsOf(settings, given, manifest, where.root);
  const sent = { prompt: made.prompt, sha256: made.sha256, inputs };
  // Before it is sent: a docket that takes over after a crash must not say that it was something else.
  writeNote(where.root, place, `sent/${stage}`, sent);
  if (parseStage(stage)?.writes === 'tree') await noteOwnRules({ root: packet.cwd, home: copyHome(place) });
  const trusted = trustedNow(where, place.id);
  writeNote(where.root, place, `trusted/${stage}`, trusted);
  packet.trusted.set(stage, trusted);
  return sent;
}

/** Roles that work with the answers of the stages before them. */
const readsEarlier: ReadonlySet<string> = new Set(['review_consolidate', 'test_impl', 'verify']);

/** What earlier stages made: the diff for a stage that judges it, the answers for a stage that builds on them. */
async function attachedFor({ stage, role }: StageSettings, task: Task, packet: PacketRun, tree?: Snapshot) {
  const { place } = packet;
  const steps = (task.run?.steps ?? []).map(({ id }) => id);
  const isDone = (name: string): boolean => task.run?.states[name]?.state === 'done';
  const before = new Set(steps.slice(0, Math.max(0, steps.indexOf(stage))).filter(isDone));
  const answers = readsEarlier.has(role) ? earlierOutputs(place.dir, before).map(fencedPart) : [];
  const base = steps.some((name) => isDone(name) && parseStage(name)?.writes === 'tree')
    ? (readNote(place, 'snapshots/base') as Snapshot | undefined)
    : undefined;
  if (!base || role === 'brief' || role === 'impl' || role === 'review_consolidate') return answers;
  const names = carriedNames(place);
  if (names.length === 0) return answers;
  const diff = await patchSince(sourceTree(packet), base, tree, names);
  return diff.trim() === '' ? answers : [...answers, fencedPart({ name: 'implementation.diff', text: diff })];
}

/** Agents made it, whatever it says about itself. */
function fencedPart({ name, text }: Attached): Attached {
  return { name, text: fenced(text, 'the agent of an earlier stage') };
}
