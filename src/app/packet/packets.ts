import { DocketError } from '../../errors.ts';
import type { Finding } from '../../store/backend.ts';
import type { Where } from '../one-store.ts';
import type { Packet, Packets } from './api.ts';
import { assertPacket, packetIds, packetsFolder } from './place.ts';
import { readPacket, viewOf } from './view.ts';

/** What only some commands need is loaded by those. */
export function makePackets(where: Where): Packets {
  return {
    make: async (input) => (await import('./make.ts')).makePacket(where, input),
    list: async () => listPackets(where),
    show: async (id) => viewOf(readPacket(where, id).task),
    run: async (id, input) => (await import('./run.ts')).runPacket(where, id, input),
    plan: async (id, { plan }) => (await import('./run.ts')).planPacket(where, id, plan),
    archive: async (which, dryRun) => (await import('./keep.ts')).archivePackets(where, which, dryRun),
    remove: async (id, dryRun) => (await import('./keep.ts')).removePacket(where, id, dryRun),
    review: async (input) => (await import('./review.ts')).reviewWork(where, input),
    config: async (id) => (await import('./effective.ts')).effectiveConfig(where, id),
    async validate(id) {
      const { validatePacket } = await import('./validate.ts');
      return validatePacket(where, assertPacket(where.root, id));
    },
  };
}

/** What cannot be read is a finding, and hides no other. */
function listPackets(where: Where): { packets: Packet[]; findings: Finding[] } {
  const packets: Packet[] = [];
  const findings: Finding[] = [];
  for (const id of packetIds(where.root)) {
    try {
      packets.push(viewOf(readPacket(where, id).task));
    } catch (error) {
      if (!(error instanceof DocketError)) throw error;
      const path = `${packetsFolder}/${id}`;
      findings.push({ severity: 'error', path, message: error.message, fix: error.fix });
    }
  }
  return { packets, findings };
}
