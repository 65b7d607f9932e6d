import type { KindVerbs } from './act.ts';
import type { KindName } from './names.ts';

const load: Readonly<Record<KindName, () => Promise<KindVerbs>>> = {
  queue: async () => (await import('./queue/verbs.ts')).queueVerbs,
  task: async () => (await import('./directory/verbs.ts')).directoryVerbs,
  packet: async () => (await import('./packet/verbs.ts')).packetVerbs,
  board: async () => (await import('./board/verbs.ts')).boardVerbs,
};

/** What acts on one kind is loaded when somebody acts. */
export function verbsOf(kind: KindName): Promise<KindVerbs> {
  return load[kind]();
}
