import type { KindVerbs } from '../../kinds/act.ts';
import type { KindName } from '../../task/kind-names.ts';

const load: Readonly<Record<KindName, () => Promise<KindVerbs>>> = {
  queue: async () => (await import('../../kinds/queue/verbs.ts')).queueVerbs,
  task: async () => (await import('../../kinds/directory/verbs.ts')).directoryVerbs,
  packet: async () => (await import('../../kinds/packet/verbs.ts')).packetVerbs,
  board: async () => (await import('../../kinds/board/verbs.ts')).boardVerbs,
};

/** What acts on one kind is loaded when somebody acts. */
export function verbsOf(kind: KindName): Promise<KindVerbs> {
  return load[kind]();
}
