import path from 'node:path';
import { watchedBy } from '../../gate/scope.ts';
import { removeFile } from '../../io/files.ts';
import { isDirectory } from '../../io/find-up.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { writePlain } from '../../io/plain-file.ts';
import { readTextFile } from '../../io/text-file.ts';
import type { Project } from '../../settings/project.ts';
import type { Task } from '../../task/schema.ts';
import { takeSnapshot, type Snapshot, type WorkTree } from '../../workspace/snapshot.ts';
import { copyOf, refreshCopy } from '../../workspace/work-copy.ts';
import { forgetCarried } from './carried.ts';
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

/** Project a stage is done. */
export interface StageTrees {
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
  const noted = begun ? readSnapshot(place, `work-${stage}`) : undefined;
  if (noted) return { source, copy, ...(writes && { before: noted }) };
  for (const name of ['work', 'copy']) makeOwnFolder(where.root, '.docket', 'packet', place.id, name);
  const made = await refreshCopy(source, copy);
  if (!readSnapshot(place, 'base')) writeSnapshot(place, 'base', made.source);
  forgetCarried(place, stage);
  writeSnapshot(place, `work-${stage}`, made.before);
  return { source, copy, now: made.source, ...(writes && { before: made.before }) };
}

export function readSnapshot({ raw }: PacketPlace, name: string): Snapshot | undefined {
  const text = readTextFile(path.join(raw, 'snapshots', `${name}.json`), longest);
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Snapshot);
  } catch {
    return undefined; // cut off by a power loss: what is there now has to do
  }
}

function writeSnapshot({ raw }: PacketPlace, name: string, snapshot: Snapshot): void {
  writePlain(path.join(makeOwnFolder(raw, 'snapshots'), `${name}.json`), JSON.stringify(snapshot));
}

/** The next try is measured from where it begins. */
export function forgetSnapshot({ raw }: PacketPlace, stage: string): void {
  removeFile(path.join(raw, 'snapshots', `work-${stage}.json`));
}
