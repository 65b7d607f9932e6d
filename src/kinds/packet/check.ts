import { DocketError } from '../../errors.ts';
import type { Config } from '../../settings/config.ts';
import { knownSecrets } from '../../settings/masking.ts';
import type { Project } from '../../settings/project.ts';
import { readConfig } from '../../settings/read-config.ts';
import type { Finding } from '../../store/store.ts';
import { openAttempts } from '../../task/allowed.ts';
import type { Task } from '../../task/schema.ts';
import type { PacketWish } from './api.ts';
import { readable } from './archive.ts';
import { readInput } from './files.ts';
import { findingsOf, unsound } from './findings.ts';
import { compilePattern } from './format/manifest-values.ts';
import type { Manifest } from './format/manifest.ts';
import type { Resolved } from './format/resolve.ts';
import { isProfileName } from './format/words.ts';
import { assertNothingForbidden, readGiven } from './inputs.ts';
import { manifestSaid } from './manifest-said.ts';
import { assertNoSecrets } from './manifest-secrets.ts';
import { findOtherWork, withOtherWork } from './other-tool.ts';
import type { PacketPlace } from './place.ts';
import { assertStages, planned, stepsOf } from './plan.ts';
import { missingPrograms } from './programs.ts';
import { readPacket } from './read.ts';
import { Redactor } from './redactor.ts';
import { resolved, unusedFiles } from './settings.ts';
import { ownWords } from './stale.ts';
import { findTemplate } from './templates.ts';
import { manifestOf } from './view.ts';

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
async function searched(
  where: Project,
  dir: string,
  config: Config,
  manifest: Manifest | undefined,
): Promise<void> {
  const patterns = (manifest?.security.redaction_patterns ?? []).map(compilePattern);
  const redactor = new Redactor(knownSecrets(where, config), patterns);
  try {
    await assertNoSecrets(`${dir}/manifest.yaml`, readInput(dir, 'manifest.yaml') ?? '', redactor);
  } finally {
    await redactor.close();
  }
}
