import path from 'node:path';
import { assertReadable } from '../../app/one-store.ts';
import { isDirectory } from '../../io/find-up.ts';
import type { StorePlace } from '../../store/store.ts';
import { isBeginning, readable, type FoundTask, type Kind, type Look } from '../kind.ts';
import { idFor, lazyPacketLayout, packetIdPattern, packetName } from './format/name.ts';
import { archiveFolder, packetIds, packetsFolder, placeOfPacket, proofFolder } from './place.ts';

export const packetKind: Kind = {
  name: 'packet',
  where: `the packets (${packetsFolder}, ${archiveFolder})`,
  *stores(root) {
    for (const name of packetIds(root)) {
      const store = storeOf(root, name);
      if (store) yield { name, store };
    }
  },
  storeNamed: storeOf,
  async all(look) {
    const found: FoundTask[] = [];
    for (const name of packetIds(look.root)) found.push(...(await readable(() => tasksIn(look, [name]))));
    return found;
  },
  match: async (look, ref) => ({
    whole: await tasksIn(look, [ref]),
    begun: () =>
      tasksIn(
        look,
        packetIds(look.root).filter((name) => isBeginning(ref, name)),
      ),
  }),
  names: async ({ root }) => packetIds(root),
  idOf: packetName,
  count: (stores) => (stores === 0 ? '' : `${stores} ${stores === 1 ? 'packet' : 'packets'}`),
  mayBeEmpty: false,
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

async function tasksIn(look: Look, names: readonly string[]): Promise<FoundTask[]> {
  const found: FoundTask[] = [];
  for (const name of names) {
    const store = storeOf(look.root, name);
    if (!store) continue;
    const view = await look.read(store);
    const task = view.tasks.find(({ id }) => id === idFor(name));
    if (!task) assertReadable(name, view.findings);
    else found.push({ kind: 'packet', task, name, view, store });
  }
  return found;
}
