import { boardKind } from '../../kinds/board/kind.ts';
import { directoryKind } from '../../kinds/directory/kind.ts';
import type { Kind, KindStore } from '../../kinds/kind.ts';
import { packetKind } from '../../kinds/packet/kind.ts';
import { queueKind } from '../../kinds/queue/kind.ts';
import { kindNames, type KindName } from '../../task/kind-names.ts';

const byName = {
  queue: queueKind,
  task: directoryKind,
  packet: packetKind,
  board: boardKind,
} as const satisfies Record<KindName, Kind>;

type OwnOf<K> = K extends Kind<infer Own> ? Own : never;

/** What only tasks of one kind have: `kind` says of which. */
export type OwnDetails = { [K in KindName]: { kind: K } & OwnOf<(typeof byName)[K]> }[KindName];

export const kinds: readonly Kind[] = kindNames.map((name) => byName[name]);

export function kindNamed(name: KindName): Kind {
  return byName[name];
}

/** All stores of a project, whatever their kind. */
export function storesIn(root: string): (KindStore & { kind: Kind })[] {
  return kinds.flatMap((kind) => [...kind.stores(root)].map((found) => ({ kind, ...found })));
}
