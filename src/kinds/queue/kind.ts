import path from 'node:path';
import { isDirectory } from '../../io/find-up.ts';
import { exists } from '../../io/links.ts';
import type { Task } from '../../task/schema.ts';
import { isBeginning, type FoundTask, type Kind, type Look, type StorePlace } from '../kind.ts';
import { queueLayout } from './format/layout.ts';
import { callName, ownOf } from './format/record.ts';

export const queueKind: Kind = {
  name: 'queue',
  where: `the queue (${queueLayout.mirror})`,
  *stores(root) {
    const store = placeOfQueue(root);
    if (isDirectory(store.dir) || exists(path.join(root, queueLayout.mirror))) yield { store };
  },
  storeNamed: (root, name) =>
    name === 'queue' ? [...queueKind.stores(root)].map(({ store }) => store)[0] : undefined,
  match(look, ref) {
    const all = tasksIn(look);
    // A deleted task does not stand in the way of one that got its name.
    const there = all.filter(({ task }) => task.removedAt === undefined);
    const isWhole = ({ task }: FoundTask) => task.id === ref || ownOf(task).name === ref;
    const begins = ({ task }: FoundTask) => isBeginning(ref, ownOf(task).name);
    const first = (is: (found: FoundTask) => boolean) => {
      const found = there.filter(is);
      return found.length > 0 ? found : all.filter(is);
    };
    const byId = all.filter(({ task }) => task.id === ref);
    return { whole: byId.length > 0 ? byId : first(isWhole), begun: () => first(begins) };
  },
  names: (look) => tasksIn(look).map(({ task }) => ownOf(task).name),
  nameOf: (task) => ownOf(task).name,
  attempts: ({ store, task }) => path.join(store.dir, 'attempts', task.id),
  trail: ({ store, task }) => path.join(store.dir, 'attempts', task.id),
  evidence: ({ task }) => queueEvidence(task.id),
};

/** From the root. */
export function queueEvidence(id: string): string {
  return `.docket/queue/evidence/${id}`;
}

function placeOfQueue(root: string): StorePlace {
  return { root, dir: path.join(root, '.docket', 'queue'), layout: queueLayout };
}

function tasksIn(look: Look): FoundTask[] {
  return [...queueKind.stores(look.root)].flatMap(({ store }) => {
    const view = look.read(store);
    return view.tasks.map((task: Task) => ({ kind: 'queue', task, name: callName(task), view, store }));
  });
}
