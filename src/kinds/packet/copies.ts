import path from 'node:path';
import { Held } from '../../engine/blocking-errors.ts';
import { command, fix } from '../../errors/command.ts';
import { someNames } from '../../errors/some-names.ts';
import { outOfScope, watchedBy } from '../../gate/scope.ts';
import { removeFile } from '../../io/files.ts';
import { isDirectory } from '../../io/find-up.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { appendPlain } from '../../io/plain-file.ts';
import { readTextFile } from '../../io/text-file.ts';
import type { Project } from '../../settings/project.ts';
import type { Task } from '../../task/schema.ts';
import { bringIgnored, carryBack, keepVersions } from '../../workspace/carry-back.ts';
import type { Changed } from '../../workspace/changes.ts';
import { type Snapshot, takeSnapshot, type WorkTree } from '../../workspace/snapshot.ts';
import { copyOf, refreshCopy } from '../../workspace/work-copy.ts';
import { readNote, writeNote } from './files.ts';
import type { Manifest } from './format/manifest.ts';
import { parseStage } from './format/stages.ts';
import type { PacketPlace } from './place.ts';

const longest = 64 * 1024 * 1024;

interface InPacket {
  where: Project;
  cwd: string;
  place: PacketPlace;
  manifest: Manifest;
}

/** People's tree, as a packet sees it. */
export function sourceTree({ where, cwd, place }: Omit<InPacket, 'manifest'>): WorkTree {
  return {
    root: cwd,
    home: makeOwnFolder(where.root, '.docket', 'packet', place.id, 'tree'),
    filesOnly: true,
  };
}

/** The folder in which a packet's agents work: always the same, because vendors know a conversation by its folder. */
export function workFolder({ raw }: PacketPlace): string {
  return path.join(raw, 'work');
}

export function copyHome({ raw }: PacketPlace): string {
  return path.join(raw, 'copy');
}

/** Where a stage is done. */
interface StageTrees {
  source: WorkTree;
  /** The packet's own copy. Absent: people's folder is no git work tree, and the stage only reads. */
  copy?: WorkTree;
  /** Of stages that may write: the copy as it was before. */
  before?: Snapshot;
  /** People's tree, where it was looked at this moment. */
  now?: Snapshot;
}

/**
 * Makes the packet's copy what people's tree is now, before a stage begins. It is noted before the agent starts: after a
 * crash the comparison is with that, and not with what the agent has made of it meanwhile. The first one is the base of
 * the whole packet.
 */
export async function treesFor(packet: InPacket, stage: string, task: Task): Promise<StageTrees> {
  const { where, place, manifest } = packet;
  const source = sourceTree(packet);
  const writes = parseStage(stage)?.writes === 'tree';
  const copy = await copyOf(source, {
    root: workFolder(place),
    home: copyHome(place),
    watched: watchedBy(manifest.scope),
  });
  if (!copy) {
    if (writes) await takeSnapshot(source); // says why it is refused
    return { source };
  }
  const begun = task.run?.states[stage]?.state === 'running' && isDirectory(copy.root);
  const noted = begun ? (readNote(place, `snapshots/work-${stage}`) as Snapshot | undefined) : undefined;
  if (noted) return { source, copy, ...(writes && { before: noted }) };
  for (const name of ['work', 'copy']) makeOwnFolder(where.root, '.docket', 'packet', place.id, name);
  const made = await refreshCopy(source, copy);
  if (!readNote(place, 'snapshots/base')) writeNote(where.root, place, 'snapshots/base', made.source);
  forgetCarried(place, stage);
  writeNote(where.root, place, `snapshots/work-${stage}`, made.before);
  return { source, copy, now: made.source, ...(writes && { before: made.before }) };
}

const journalOf = ({ raw }: PacketPlace, stage: string): string => path.join(raw, 'carry', `${stage}.jsonl`);
const listOf = ({ raw }: PacketPlace): string => path.join(raw, 'carried.jsonl');

/** The files that this packet has changed in people's tree, over all its stages. */
export function carriedNames(place: PacketPlace): string[] {
  const lines = (readTextFile(listOf(place), longest) ?? '').split('\n');
  return [...new Set(lines.flatMap(nameIn))];
}

/** A line that was cut off by a kill is written again with the next file. */
function nameIn(line: string): string[] {
  try {
    return [JSON.parse(line) as string];
  } catch {
    return [];
  }
}

/** A stage that begins anew is measured from people's tree as it is then. */
function forgetCarried(place: PacketPlace, stage: string): void {
  removeFile(journalOf(place, stage));
}

interface CarryInput {
  stage: string;
  place: PacketPlace;
  manifest: Manifest;
  tree: WorkTree;
  /** People's tree. */
  home: string;
}

/**
 * Brings what a stage changed in scope into people's tree. Where a person changed one of the same files meanwhile nothing
 * is brought: both versions are kept, and the packet waits for the person.
 */
export function bringToPeople(
  input: CarryInput,
  kept: readonly Changed[],
  ignored: readonly string[],
): { conflicts: string[]; aside: string } {
  const { stage, place, manifest, tree, home } = input;
  const at = { from: tree.root, to: home };
  const { carried, conflicts } = carryBack(kept, {
    ...at,
    format: tree.copyOf?.format ?? 'sha1',
    journal: path.join(makeOwnFolder(place.raw, 'carry'), `${stage}.jsonl`),
    scratch: makeOwnFolder(place.raw, 'carry', 'half'),
  });
  const known = new Set(carriedNames(place));
  for (const name of carried.filter((one) => !known.has(one)))
    appendPlain(listOf(place), `${JSON.stringify(name)}\n`);
  const isDenied = (name: string): boolean =>
    outOfScope([{ path: name.replace(/\/$/, '') }], { allow: ['.'], deny: manifest.scope.deny }).length > 0;
  if (conflicts.length === 0)
    bringIgnored(
      ignored.filter((name) => !isDenied(name)),
      at,
    );
  const aside = path.join(place.raw, 'conflicts', stage);
  return { conflicts, aside: conflicts.length > 0 ? keepVersions(tree.root, conflicts, aside) : aside };
}

/** The run stops here. Its agent is not called again: with the next run the stage is judged as it is. */
export function heldByConflict(
  { stage, place }: Pick<CarryInput, 'stage' | 'place'>,
  { conflicts, aside }: { conflicts: readonly string[]; aside: string },
): Held {
  const [is, it] = conflicts.length === 1 ? ['was', 'it'] : ['were', 'them'];
  const text =
    fix`${someNames(conflicts, 10)} ${is} changed in your tree while ${stage} was running, and ${stage} changed ${it}, too. Your version is in place; the agent's version is in ${aside}. Put the version you want into your tree, then: ${command`packet resume ${place.id}`}`
      .text;
  return new Held({ kind: 'conflict', text: text.slice(0, 2000), who: 'a person' });
}
