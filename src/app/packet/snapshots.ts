import path from 'node:path';
import { watchedBy } from '../../gate/scope.ts';
import { removeFile } from '../../io/files.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { writePlain } from '../../io/process/plain-file.ts';
import { readTextFile } from '../../io/text-file.ts';
import type { Manifest } from '../../layout/packet/manifest.ts';
import { parseStage } from '../../layout/packet/stages.ts';
import type { Task } from '../../task/schema.ts';
import { takeSnapshot, type Snapshot, type WorkTree } from '../../workspace/snapshot.ts';
import type { Where } from '../one-store.ts';
import type { PacketPlace } from './place.ts';

const longest = 64 * 1024 * 1024;

/** The work tree of a packet, as its scope sees it. */
export function treeOf(packet: {
  where: Where;
  cwd: string;
  place: PacketPlace;
  manifest: Manifest;
}): WorkTree {
  const { where, cwd, place, manifest } = packet;
  return {
    root: cwd,
    home: makeOwnFolder(where.root, '.docket', 'packet', place.id, 'tree'),
    watched: watchedBy(manifest.scope),
  };
}

/**
 * The tree before a stage writes to it, noted before its agent starts: after a crash the comparison is with that, and
 * not with what the agent has made of it meanwhile. The first one is the base of the whole packet. Nothing: the stage
 * does not write. `now`: it was taken this moment.
 */
export async function treeBefore(
  tree: WorkTree,
  stage: string,
  task: Task,
  place: PacketPlace,
): Promise<{ before?: Snapshot; now?: Snapshot }> {
  if (parseStage(stage)?.writes !== 'tree') return {};
  const begun = task.run?.states[stage]?.state === 'running';
  const noted = begun ? readSnapshot(place, stage) : undefined;
  if (noted) return { before: noted };
  const taken = await takeSnapshot(tree);
  if (!readSnapshot(place, 'base')) writeSnapshot(place, 'base', taken);
  writeSnapshot(place, stage, taken);
  return { before: taken, now: taken };
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
export function forgetSnapshot({ raw }: PacketPlace, name: string): void {
  removeFile(path.join(raw, 'snapshots', `${name}.json`));
}
