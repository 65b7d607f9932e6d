import { boardKind } from '../../kinds/board/kind.ts';
import { directoryKind } from '../../kinds/directory/kind.ts';
import type { Kind, KindStore } from '../../kinds/kind.ts';
import { packetKind } from '../../kinds/packet/kind.ts';
import { queueKind } from '../../kinds/queue/kind.ts';
import { kindNames, type KindName } from '../../task/kind-names.ts';

const byName: Readonly<Record<KindName, Kind>> = {
  queue: queueKind,
  task: directoryKind,
  packet: packetKind,
  board: boardKind,
};

export const kinds: readonly Kind[] = kindNames.map((name) => byName[name]);

export function kindNamed(name: KindName): Kind {
  return byName[name];
}

/** All stores of a project, whatever their kind. */
export function storesIn(root: string): (KindStore & { kind: Kind })[] {
  return kinds.flatMap((kind) => [...kind.stores(root)].map((found) => ({ kind, ...found })));
}
