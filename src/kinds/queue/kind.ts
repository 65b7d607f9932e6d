import path from 'node:path';
import { isDirectory } from '../../io/find-up.ts';
import { exists } from '../../io/links.ts';
import type { Project } from '../../settings/project.ts';
import type { StorePlace } from '../../store/store.ts';
import { isBeginning, readable, type FoundTask, type Kind, type Look } from '../kind.ts';
import { lazyQueueLayout, queueEvidence, queueFile } from './format/file.ts';
import { callName, notedOf, ownOf } from './format/record.ts';
import type { TaskDetails } from './show.ts';

export const queueKind: Kind<{ details: TaskDetails }> = {
  name: 'queue',
  where: `the queue (${queueFile})`,
  *stores(root) {
    const store = placeOfQueue(root);
    if (isDirectory(store.dir) || exists(path.join(root, queueFile))) yield { store };
  },
  storeNamed: (root, name) =>
    name === 'queue' ? [...queueKind.stores(root)].map(({ store }) => store)[0] : undefined,
  all: (look) => readable(() => tasksIn(look)),
  async match(look, ref) {
    const all = await tasksIn(look);
    // A deleted task does not stand in the way of one that got its name.
    const there = all.filter(({ task }) => task.removedAt === undefined);
    const isWhole = ({ task }: FoundTask) => task.id === ref || ownOf(task).name === ref;
    const begins = ({ task }: FoundTask) => isBeginning(ref, ownOf(task).name);
    const first = (is: (found: FoundTask) => boolean) => {
      const found = there.filter(is);
      return found.length > 0 ? found : all.filter(is);
    };
    const byId = all.filter(({ task }) => task.id === ref);
    return { whole: byId.length > 0 ? byId : first(isWhole), begun: async () => first(begins) };
  },
  names: async (look) => (await tasksIn(look)).map(({ task }) => ownOf(task).name),
  nameOf: (task) => ownOf(task).name,
  callName,
  idOf: ({ id }) => id,
  count: (stores) => (stores === 0 ? '' : 'the queue'),
  holdsMany: true,
  text: async (root, store, task) => (await import('./body.ts')).bodyOf(root, store, task),
  attemptsBy: 'step',
  attempts: ({ store, task }) => path.join(store.dir, 'attempts', task.id),
  trail: ({ store, task }) => path.join(store.dir, 'attempts', task.id),
  evidence: ({ task }) => queueEvidence(task.id),
  workspace: (task) => notedOf(task).workspace,
  details: async ({ root }, { task, view, store: { dir } }) => ({
    details: (await import('./show.ts')).detailsOf(task, view, { root, dir }),
  }),
  validate: async ({ root }, { task }) =>
    (await import('./check-file.ts')).checkTask(path.join(root, queueFile), task),
  folders: async (look) => (await import('./folders.ts')).queueFolders(look, placeOfQueue(look.root)),
};

function placeOfQueue(root: string): StorePlace {
  return { root, dir: path.join(root, '.docket', 'queue'), layout: lazyQueueLayout };
}

async function tasksIn(look: Look): Promise<FoundTask[]> {
  const found: FoundTask[] = [];
  for (const { store } of queueKind.stores(look.root)) {
    const view = await look.read(store);
    found.push(
      ...view.tasks.map((task) => ({ kind: 'queue' as const, task, name: callName(task), view, store })),
    );
  }
  return found;
}

export interface QueueProject extends Project {
  /** docket's own folder of the queue's store. */
  dir: string;
}
