import path from 'node:path';
import { isDirectory } from '../../io/find-up.ts';
import type { StorePlace } from '../../store/store.ts';
import { foldersIn, kindOfFolders, type Kind } from '../kind.ts';
import type { Packet } from './api.ts';
import { idFor, lazyPacketLayout, packetIdPattern, packetName } from './format/name.ts';
import { archiveFolder, packetIds, packetsFolder, placeOfPacket, proofFolder } from './place.ts';

export const packetKind: Kind<{ packet: Packet }> = {
  name: 'packet',
  where: `the packets (${packetsFolder}, ${archiveFolder})`,
  ...kindOfFolders({
    kind: 'packet',
    names: packetIds,
    storeOf,
    taskIn: (tasks, name) => tasks.find(({ id }) => id === idFor(name)),
  }),
  idOf: packetName,
  count: (stores) => (stores === 0 ? '' : `${stores} ${stores === 1 ? 'packet' : 'packets'}`),
  ordered: async (project) => (await import('./due.ts')).orderedPackets(project),
  holdsMany: false,
  attemptsBy: 'step',
  nameOf: packetName,
  attempts({ name }, root) {
    const { dir, raw } = placeOfPacket(root, name);
    // What its agents printed was archived with the packet.
    const folder = isDirectory(dir) ? raw : path.join(root, '.docket', 'packet-archive', name);
    return path.join(folder, 'attempts');
  },
  trail: ({ task }, root) => path.join(root, '.docket', 'packet', task.id),
  evidence: ({ store }, root) => path.join(path.relative(root, store.root), ...proofFolder),
  details: async (project, { name }) => ({
    packet: await (await import('./packets.ts')).makePackets(project).show(name),
  }),
  validate: async (project, { name }) => (await import('./packets.ts')).makePackets(project).validate(name),
  patchOf: async (root, found, end) => (await import('./step-patch.ts')).stepPatch(root, found, end),
  folders: async ({ root }) => foldersIn(root, 'files', packetsFolder, archiveFolder, '.docket/packet'),
};

/** Also of an archived packet. A name comes from a person: it is checked before it becomes a path. */
function storeOf(root: string, name: string): StorePlace | undefined {
  if (!packetIdPattern.test(name) || name.includes('..')) return undefined;
  const places = [placeOfPacket(root, name).dir, path.join(root, archiveFolder, name)];
  const dir = places.find((place) => isDirectory(place));
  return dir === undefined
    ? undefined
    : { root: dir, dir: path.join(dir, 'state', 'docket'), layout: lazyPacketLayout };
}
