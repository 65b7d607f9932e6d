import path from 'node:path';
import { settingsPlaces } from '../../engine/guard.ts';
import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import type { Project } from '../../settings/project.ts';
import { openAttempts } from '../../task/allowed.ts';
import { isObject } from '../../task/json.ts';
import type { Task } from '../../task/schema.ts';
import { type Contents, contentsOf, patchOf, putBack, touchedSince } from '../../workspace/kept-files.ts';
import type { RunPacketInput } from './api.ts';
import { forgetNote, readNote, writeOutput } from './files.ts';
import { ownOf } from './format/own.ts';
import { hash } from './inputs.ts';
import { folderOfPacket, type PacketPlace } from './place.ts';
import type { Redactor } from './redactor.ts';

/** What was changed that only people may change, and a patch of it. */
export interface Touched {
  /** From the root. */
  paths: string[];
  patch: Buffer;
}

/** What docket goes by: the packet's own files, its settings, and the words it has for agents. */
function placesOf({ root, env }: Project, id: string): string[] {
  const packet = folderOfPacket(root, id);
  const own = ['manifest.yaml', 'inputs', 'outputs', 'state/acceptance.commands.override'];
  const settings = path.relative(root, path.resolve(root, env['AGENT_CLI_CONFIG_ROOT'] ?? 'configs'));
  const folders = settings.startsWith('..') ? [] : ['servant', 'servants', 'pipeline'];
  return [
    ...own.map((name) => `${packet}/${name}`),
    ...folders.map((name) => path.posix.join(settings, name)),
    ...settingsPlaces,
    'prompts-src',
  ];
}

/** What docket itself writes while an agent is at work. */
const written = /\/outputs\/(?:_summary\.md|[^/]+\.(?:meta|gate_result)\.json|[^/]+\.prompt_sha256)$/;

export function trustedNow(where: Project, id: string): Contents {
  const all = Object.entries(contentsOf(where.root, placesOf(where, id)));
  return Object.fromEntries(all.filter(([name]) => !written.test(name)));
}

/** Puts back what is not as it was. A new file among the outputs is nobody's input, and stays. */
export async function putBackTouched(
  where: Project,
  { id, raw }: Pick<PacketPlace, 'id' | 'raw'>,
  before: Contents,
): Promise<Touched | undefined> {
  const now = trustedNow(where, id);
  const outputs = `${folderOfPacket(where.root, id)}/outputs/`;
  const paths = touchedSince(before, now).filter((name) => name in before || !name.startsWith(outputs));
  if (paths.length === 0) return undefined;
  const home = makeOwnFolder(where.root, ...path.relative(where.root, raw).split(path.sep), 'trusted');
  const patch = await patchOf(home, { before, now }, paths);
  putBack(where.root, before, paths);
  return { paths, patch };
}

/** The hash of what neither docket nor a stage changes in the course of a run. */
export function frozenHash(trusted: Contents): string {
  const own = /\/(?:inputs\/(?:\.?context_pack\.|prompt\/)|outputs\/|state\/)/;
  const still = Object.entries(trusted).filter(
    ([name]) => /^(?:\.docket|prompts-src)\//.test(name) || !own.test(name),
  );
  return hash(JSON.stringify(still.toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

/** An agent can write there too: only what could be a note is one, and what it freezes the journal must confirm. */
function readTrusted(where: Project, place: PacketPlace, stage: string): Contents | undefined {
  const noted = readNote(place, `trusted/${stage}`);
  const places = placesOf(where, place.id);
  const isPlace = (name: string): boolean =>
    places.some((one) => name === one || name.startsWith(`${one}/`)) && !name.split('/').includes('..');
  const isContent = (value: unknown): boolean =>
    Array.isArray(value) && ['file', 'program', 'link'].includes(value[0]) && typeof value[1] === 'string';
  const good =
    isObject(noted) && Object.entries(noted).every(([name, value]) => isPlace(name) && isContent(value));
  return good ? (noted as Contents) : undefined;
}

/** By stage, what was there before its agent, as long as nobody has looked what became of it. */
export type TrustedByStage = Map<string, Contents>;

/**
 * Docket died while an agent was at work. What was changed since then counts as the agent's and is put back before
 * anything of it is read; nobody can tell any more whether a person did it.
 */
export async function putBackAfterCrash(
  where: Project,
  place: PacketPlace,
  task: Task | undefined,
  { from, force }: Pick<RunPacketInput, 'from' | 'force'>,
): Promise<{ trusted: TrustedByStage; touched: Map<string, Touched> }> {
  const trusted: TrustedByStage = new Map();
  const touched = new Map<string, Touched>();
  if (!task || task.status === 'running') return { trusted, touched }; // by a docket that lives
  const { frozen } = ownOf(task);
  for (const { step } of openAttempts(task)) {
    const noted = readTrusted(where, place, step);
    const isSame = (found: Contents): boolean => frozen === undefined || frozenHash(found) === frozen;
    if (!noted || !isSame(noted)) {
      const isSaid = from !== undefined || force === true;
      if (!isSaid && !isSame(noted ?? trustedNow(where, place.id))) throw changedUnseen(place.id, step);
      continue;
    }
    trusted.set(step, noted);
    const found = await putBackTouched(where, place, noted);
    if (found) touched.set(step, found);
  }
  return { trusted, touched };
}

function changedUnseen(id: string, stage: string): DocketError {
  return new DocketError(
    'REFUSED',
    `the manifest, the inputs or the settings of packet ${id} were changed while ${stage} was at work, and what they were is not known any more`,
    fix`look at them, then say that they hold: ${command`packet run ${id} --from ${stage}`}`,
    { id, stage },
  );
}

/** What an agent that was ended has left is put back too, and kept. */
export async function putBackLeft(
  { where, place, redactor, trusted }: Keeping & { place: PacketPlace; trusted: TrustedByStage },
  stage: string,
): Promise<void> {
  const touched = await putBackOf(where, place, trusted, stage);
  if (touched) await keepTouched({ where, dir: place.dir, redactor }, stage, touched);
}

/** Once: what people do after the agent's end is theirs. */
export async function putBackOf(
  where: Project,
  place: PacketPlace,
  trusted: TrustedByStage,
  stage: string,
): Promise<Touched | undefined> {
  const before = trusted.get(stage);
  if (!before) return undefined;
  const touched = await putBackTouched(where, place, before);
  trusted.delete(stage);
  forgetNote(place, `trusted/${stage}`);
  return touched;
}

interface Keeping {
  where: Project;
  redactor: Redactor;
}

export async function keepTouched(
  { where, dir, redactor }: Keeping & { dir: string },
  stage: string,
  { paths, patch }: Touched,
): Promise<void> {
  const name = `outputs/${stage}.undone.patch`;
  writeOutput(dir, name, await redactor.redact(patch.toString('utf8')));
  where.warn(
    `changed while ${stage} was at work, and put back: ${paths.join(', ')}. The change is kept in ${dir}/${name}; if it was yours, make it again now`,
  );
}
