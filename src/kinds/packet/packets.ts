import { DocketError } from '../../errors.ts';
import { isDirectory } from '../../io/find-up.ts';
import type { Project } from '../../settings/project.ts';
import type { Finding } from '../../store/store.ts';
import type { Packet, Packets } from './api.ts';
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

/** What only some commands need is loaded by those. */
export function makePackets(where: Project): Packets {
  return {
    at: async (folder) => notePacketAt(where.root, folder),
    make: async (input) => (await import('./make.ts')).makePacket(where, input),
    list: (input) => listPackets(where, input?.archived === true),
    show: async (id) => (liesInArchive(where, id) ? archived(where, id) : shown(where, id)),
    run: async (id, input) => (await import('./run.ts')).runPacket(where, id, input),
    plan: async (id, wish) => (await import('./run.ts')).planPacket(where, id, wish),
    cancel: async (id, { reason }) => (await import('./cancel.ts')).cancelPacket(where, id, reason),
    archive: async (which, how) => (await import('./archive.ts')).archivePackets(where, which, how),
    retain: async (dryRun) => (await import('./archive.ts')).retainPackets(where, dryRun),
    remove: async (id, dryRun) => (await import('./archive.ts')).removePacket(where, id, dryRun),
    review: async (input) => (await import('./review.ts')).reviewWork(where, input),
    config: async (id) => (await import('./settings.ts')).effectiveConfig(where, id),
    async validate(id) {
      const { checkPacket } = await import('./check.ts');
      return (await checkPacket(where, assertPacket(where.root, id))).findings;
    },
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
      const path = `${isArchive ? archiveFolder : packetsFolder}/${id}`;
      findings.push({ severity: 'error', path, message: error.message, fix: error.fix });
    }
  }
  return { packets, findings };
}
