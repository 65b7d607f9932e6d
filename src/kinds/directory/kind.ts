import path from 'node:path';
import { assertReadable } from '../../app/one-store.ts';
import { isDirectory } from '../../io/find-up.ts';
import type { StorePlace } from '../../store/store.ts';
import { isTaskId } from '../../task/id.ts';
import { isBeginning, readable, type FoundTask, type Kind, type Look } from '../kind.ts';
import { withForeign } from './adopt-foreign.ts';
import { lazyTaskLayout } from './format/log.ts';
import { placeOfTask, proofFolder, taskIds, tasksFolder } from './place.ts';

export const directoryKind: Kind = {
  name: 'task',
  where: `the task directories (${tasksFolder})`,
  *stores(root) {
    for (const name of taskIds(root)) {
      const store = storeOf(root, name);
      if (store) yield { name, store };
    }
  },
  storeNamed: storeOf,
  async all(look) {
    const found: FoundTask[] = [];
    for (const name of taskIds(look.root)) found.push(...(await readable(() => tasksIn(look, [name]))));
    return found;
  },
  match: async (look, ref) => ({
    whole: await tasksIn(look, [ref]),
    begun: () =>
      tasksIn(
        look,
        taskIds(look.root).filter((name) => isBeginning(ref, name)),
      ),
  }),
  names: async ({ root }) => taskIds(root),
  idOf: ({ id }) => id,
  count: (stores) =>
    stores === 0 ? '' : `${stores} ${stores === 1 ? 'task directory' : 'task directories'}`,
  mayBeEmpty: false,
  attemptsBy: 'instance',
  nameOf: ({ id }) => id,
  attempts: ({ store }) => path.join(store.root, 'agents'),
  trail: ({ store }) => store.dir,
  evidence: ({ name }) => path.join(tasksFolder, name, ...proofFolder),
};

/** A name comes from a person: it is checked before it becomes a path. */
function storeOf(root: string, name: string): StorePlace | undefined {
  if (!isTaskId(name)) return undefined;
  const { dir, own } = placeOfTask(root, name);
  return isDirectory(dir) ? { root: dir, dir: own, layout: lazyTaskLayout } : undefined;
}

async function tasksIn(look: Look, names: readonly string[]): Promise<FoundTask[]> {
  const found: FoundTask[] = [];
  for (const name of names) {
    const store = storeOf(look.root, name);
    if (!store) continue;
    const view = await look.read(store);
    const task = view.tasks.find(({ id }) => id === name);
    if (!task) assertReadable(name, view.findings);
    else found.push({ kind: 'task', task: withForeign(task, store.root), name, view, store });
  }
  return found;
}
