import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { isDirectory } from '../../io/find-up.ts';
import type { Project } from '../../settings/project.ts';
import type { Finding } from '../../store/store.ts';
import { withOne } from '../one-store.ts';
import type {
  NewPacket,
  Packet,
  PacketPlan,
  PacketWish,
  RanPacket,
  Retained,
  ReviewInput,
  RunPacketInput,
} from './api.ts';
import { idFor, lazyPacketLayout } from './format/name.ts';
import {
  archiveFolder,
  assertPacket,
  isArchived,
  notePacketAt,
  packetIds,
  packetsFolder,
  placeOfPacket,
} from './place.ts';
import { readPacket, viewOf } from './read.ts';

/** Task packets (`.tmp/task/<id>/`), one store each. What only reads changes no byte. */
export type Packets = ReturnType<typeof makePackets>;

/** What only some commands need is loaded by those. */
export function makePackets(where: Project) {
  return {
    /** The id of the packet in this folder (absolute), which may lie anywhere in the project; it is noted from then on. */
    at: async (folder: string): Promise<string> => notePacketAt(where.root, folder),
    /** Makes the folder with a manifest that teaches, and the request. */
    make: async (input: NewPacket): Promise<Packet> => (await import('./make.ts')).makePacket(where, input),
    list: (input?: { archived?: boolean }) => listPackets(where, input?.archived === true),
    /** Also one that is archived. */
    show: async (id: string): Promise<Packet> =>
      liesInArchive(where, id) ? archived(where, id) : shown(where, id),
    /** Runs its stages from the first that is not done, or whose inputs have changed. */
    run: async (id: string, input: RunPacketInput): Promise<RanPacket> =>
      (await import('./run.ts')).runPacket(where, id, input),
    /** What a run would do, stage by stage, and why. Changes nothing. */
    plan: async (id: string, wish: PacketWish): Promise<PacketPlan> =>
      (await import('./run.ts')).planPacket(where, id, wish),
    /** Gives it up, and ends the agent that works on it. What agents left out of scope is undone by who runs it, or the next run. */
    async cancel(id: string, { reason }: { reason?: string }): Promise<Packet> {
      const place = assertPacket(where.root, id);
      await readPacket(where, id); // says what is wrong with it when it cannot be read
      const [{ giveUp }, layout] = await Promise.all([import('../give-up.ts'), lazyPacketLayout.load()]);
      const folderOf = (step: string, n: number) => path.join(place.raw, 'attempts', step, String(n));
      return withOne(where, place, layout, async (store) =>
        viewOf(await giveUp(store, where, { id: idFor(id), reason }, folderOf)),
      );
    },
    /** Moves it to `.tmp/archive/<id>/`, never over another. `force`: also what is not finished. */
    archive: async (
      which: readonly string[] | { olderThanDays: number },
      how: { dryRun: boolean; force?: boolean },
    ): Promise<string[]> => (await import('./archive.ts')).archivePackets(where, which, how),
    /** Does what the retention policy says, or tells it. Only finished packets, and none is deleted before it was archived. */
    retain: async (dryRun: boolean): Promise<Retained[]> =>
      (await import('./archive.ts')).retainPackets(where, dryRun),
    /** For good. Refused while it is worked on. */
    remove: async (id: string, dryRun: boolean): Promise<{ files: number }> =>
      (await import('./archive.ts')).removePacket(where, id, dryRun),
    /** A review of finished work: a packet of its own with the pack and the report, run to its end. */
    review: async (input: ReviewInput): Promise<RanPacket & { results: string }> =>
      (await import('./review.ts')).reviewWork(where, input),
    /** What is in force for a packet, or for all, and where each value comes from. */
    config: async (id?: string) => (await import('./settings.ts')).effectiveConfig(where, id),
    validate: async (id: string): Promise<Finding[]> =>
      (await (await import('./check.ts')).checkPacket(where, assertPacket(where.root, id))).findings,
  };
}

async function shown(where: Project, id: string): Promise<Packet> {
  const found = viewOf((await readPacket(where, id)).task, where.root);
  const packet = found.stages.length > 0 ? found : (await import('./settings.ts')).withPlanned(found, where);
  if (packet.status === 'running' || packet.status === 'review') return packet;
  const { showOtherWork } = await import('./other-tool.ts');
  return showOtherWork(packet, where, placeOfPacket(where.root, id));
}

/** One of its name that is worked on goes before it. */
function liesInArchive({ root }: Project, id: string): boolean {
  return !isDirectory(placeOfPacket(root, id).dir) && isArchived(root, id);
}

async function archived(where: Project, id: string): Promise<Packet> {
  const { readArchived } = await import('./archive.ts');
  const packet = viewOf(await readArchived(where, id));
  return { ...packet, id, dir: `${archiveFolder}/${id}`, archived: true };
}

/** What cannot be read is a finding, and hides no other. */
async function listPackets(
  where: Project,
  isArchive: boolean,
): Promise<{ packets: Packet[]; findings: Finding[] }> {
  const packets: Packet[] = [];
  const findings: Finding[] = [];
  const ids = isArchive ? (await import('./archive.ts')).archivedIds(where.root) : packetIds(where.root);
  for (const id of ids) {
    try {
      packets.push(await (isArchive ? archived : shown)(where, id));
    } catch (error) {
      if (!(error instanceof DocketError)) throw error;
      const folder = `${isArchive ? archiveFolder : packetsFolder}/${id}`;
      findings.push({ severity: 'error', path: folder, message: error.message, fix: error.fix });
    }
  }
  return { packets, findings };
}
