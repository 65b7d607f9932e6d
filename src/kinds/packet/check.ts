import { vendorNames } from '../../adapters/adapters.ts';
import { DocketError } from '../../errors.ts';
import { iso } from '../../io/clock.ts';
import { agentNamed, assertThere } from '../../settings/agents.ts';
import type { Config } from '../../settings/config.ts';
import { knownSecrets } from '../../settings/masking.ts';
import type { Project } from '../../settings/project.ts';
import { readConfig } from '../../settings/read-config.ts';
import { execute } from '../../store/execute.ts';
import type { Finding } from '../../store/store.ts';
import { openAttempts } from '../../task/allowed.ts';
import type { Task } from '../../task/schema.ts';
import { withOne } from '../one-store.ts';
import type { PacketWish } from './api.ts';
import { readable } from './archive.ts';
import { readInput } from './files.ts';
import { packetLayout } from './format/layout.ts';
import { compilePattern, type Manifest } from './format/manifest.ts';
import { idFor } from './format/name.ts';
import type { Resolved } from './format/resolve.ts';
import { parseStage, tools } from './format/stages.ts';
import { isProfileName } from './format/words.ts';
import { assertNothingForbidden, findTemplate, readGiven } from './inputs.ts';
import { assertNoSecrets, findingsOf, manifestSaid, unsound } from './manifest-findings.ts';
import { findOtherWork, withOtherWork } from './other-tool.ts';
import { assertPacket, type PacketPlace } from './place.ts';
import { assertStages, ownWords, planned, stepsOf } from './plan.ts';
import { manifestOf, readPacket } from './read.ts';
import { resolved, unusedFiles } from './settings.ts';

/** What keeps the agents of these stages from being started. Nobody is to pay for a first stage that a later one wastes. */
async function missingPrograms(
  stages: readonly string[],
  config: Config,
  where: Project,
  manifest: string,
): Promise<Finding[]> {
  const toolOf = (stage: string) => parseStage(stage)?.tool ?? '';
  const findings: Finding[] = [];
  for (const tool of new Set(stages.map(toolOf))) {
    try {
      assertThere(await agentNamed(tool, config, where), where);
    } catch (error) {
      if (!(error instanceof DocketError)) throw error;
      const itsStages = stages.filter((stage) => toolOf(stage) === tool).join(', ');
      const message = `the agent ${tool}, for ${itsStages}: ${error.message}`;
      // A vendor is known without a line of settings: then it is the packet that names it.
      const path = Object.hasOwn(config.agents, tool) ? '.docket/config.yaml' : manifest;
      findings.push({ severity: 'error', path, message, fix: `${error.fix}${otherFor(tool, config)}` });
    }
  }
  return findings;
}

/** Who does the stages of a tool where it is not the tool's own CLI: its model is not the tool's either. */
export async function playedBy(tool: string, config: Config, where: Project): Promise<string | undefined> {
  const { adapter, model } = await agentNamed(tool, config, where);
  return adapter.name === tool ? undefined : `${model ?? adapter.name} (plays ${tool})`;
}

/** It plays no stage under its own name, so it can be given another's. */
const otherVendor = vendorNames.find((name) => !(tools as readonly string[]).includes(name));

/** Stages go by the name of their tool, whoever is the default: another one can be given that name. */
function otherFor(tool: string, { agents, defaultAgent }: Config): string {
  const own = defaultAgent === undefined ? undefined : agents[defaultAgent];
  const { adapter, command } = own ?? { adapter: defaultAgent ?? otherVendor, command: undefined };
  if (tool === defaultAgent) return '';
  const settings = `adapter: ${adapter}${command === undefined ? '' : `, command: ${JSON.stringify(command)}`}`;
  return `; or let another play it, in .docket/config.yaml: agents: { ${tool}: { ${settings} } }; or stages of other tools: docs/formats/packet.md`;
}

/** All that would keep the packet from running, each with its place and the fix. Changes nothing. */
export async function checkPacket(
  where: Project,
  place: PacketPlace,
  wish: PacketWish = {},
): Promise<{ findings: Finding[]; settings?: Resolved; config: Config }> {
  const config = await readConfig(where.root, where.env);
  const known = await readable(where, place.id);
  const said = manifestSaid(place, known);
  const { manifest } = said;
  const findings = [...said.findings];
  const tried = async <T>(check: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof DocketError)) throw error;
      const told = findingsOf(error, said).filter((one) => !findings.some((other) => isSame(one, other)));
      findings.push(...told);
      return undefined;
    }
  };
  const given = await tried(() => readGiven(place.dir));
  if (!manifest) return { findings, config };
  const settings = isProfileName(manifest.routing.intent)
    ? await tried(() => resolved(manifest, where, wish.plan))
    : undefined;
  // What is under way was looked at before it began, and a brief may have handed on its pack since.
  if (given && (!known || openAttempts(known).length === 0))
    await tried(() => assertNothingForbidden(given, manifest, known && ownWords(known)));
  findings.push(...((await tried(() => unusedFiles(where))) ?? []));
  await tried(() => searched(where, place.dir, config, said.isWhole ? manifest : undefined));
  if (!settings) return { findings, config };
  assertStages(settings, wish);
  for (const { tool, role } of settings.stages) await tried(() => findTemplate(where.root, tool, role));
  if (isFine(findings)) await tried(() => readPacket(where, place.id));
  const seen = known && isFine(findings) ? asSeen(where, place, known, settings) : known;
  const stages = isFine(findings)
    ? planned(seen, settings, wish, { root: where.root, place }).filter(({ runs }) => runs)
    : settings.stages;
  const names = stages.map(({ stage }) => stage);
  findings.push(...(await missingPrograms(names, config, where, said.file)));
  return { findings, settings, config };
}

/** What a run goes by, or an error that says all that speaks against it. */
export async function soundPacket(
  where: Project,
  place: PacketPlace,
  wish: PacketWish,
): Promise<{ task: Task; manifest: Manifest; settings: Resolved; config: Config }> {
  const { findings, settings, config } = await checkPacket(where, place, wish);
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0 || !settings) throw unsound(place.id, where.root, errors);
  const { task } = await readPacket(where, place.id);
  return { task, manifest: manifestOf(task), settings, config };
}

/** With what another tool did in it. */
function asSeen(where: Project, place: PacketPlace, task: Task, settings: Resolved): Task {
  return withOtherWork(task, findOtherWork(where, place, task, settings), stepsOf(settings));
}

function isFine(findings: readonly Finding[]): boolean {
  return findings.every(({ severity }) => severity !== 'error');
}

/** A rule and a setting may complain about the same value. */
function isSame(one: Finding, other: Finding): boolean {
  return (
    one.path === other.path &&
    one.line !== undefined &&
    one.line === other.line &&
    one.column === other.column
  );
}

/** `manifest`: whose patterns are known to be good. */
function searched(
  where: Project,
  dir: string,
  config: Config,
  manifest: Manifest | undefined,
): Promise<void> {
  const patterns = (manifest?.security.redaction_patterns ?? []).map(compilePattern);
  const text = readInput(dir, 'manifest.yaml') ?? '';
  return assertNoSecrets(`${dir}/manifest.yaml`, text, knownSecrets(where, config), patterns);
}

/**
 * A run of all that is ordered could not begin it, and nobody reads what such a run printed at night: so it is held, and
 * whoever asks what needs a person is told. Undefined: that is not why, or somebody else was quicker.
 */
export async function holdUnsound(where: Project, id: string, error: unknown): Promise<Task | undefined> {
  if (!(error instanceof DocketError) || !Array.isArray(error.data['findings'])) return undefined;
  const findings = error.data['findings'] as Finding[];
  const text = findings.map(({ message, fix }) => `${message} (${fix})`).join('; ');
  const reason = { kind: 'setup', text: text.slice(0, 2000), who: 'a person' } as const;
  const command = { type: 'block', id: idFor(id), by: 'docket', reason } as const;
  return withOne(where, assertPacket(where.root, id), packetLayout, async (store) => {
    const done = await execute(store, command, { now: iso(where.clock) });
    return done.ok ? store.get(command.id) : undefined;
  });
}

/** It was held so, and what it needs is there now. What was begun is for the person who looked at it. */
export async function isSoundAgain(where: Project, id: string, task: Task): Promise<boolean> {
  if (task.status !== 'blocked' || task.reason.kind !== 'setup' || task.run) return false;
  const { findings } = await checkPacket(where, assertPacket(where.root, id));
  return findings.every(({ severity }) => severity !== 'error');
}
