import path from 'node:path';
import { isDirectory } from '../../io/find-up.ts';
import { isTaskId } from '../../task/id.ts';
import { isBeginning, type FoundTask, type Kind, type Look, type StorePlace } from '../kind.ts';
import { withForeign } from './adopt-foreign.ts';
import { agentmeshLayout } from './format/layout.ts';
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
  match: (look, ref) => ({
    whole: tasksIn(look, [ref]),
    begun: () =>
      tasksIn(
        look,
        taskIds(look.root).filter((name) => isBeginning(ref, name)),
      ),
  }),
  names: ({ root }) => taskIds(root),
  nameOf: ({ id }) => id,
  attempts: ({ store }) => path.join(store.root, 'agents'),
  trail: ({ store }) => store.dir,
  evidence: ({ name }) => path.join(tasksFolder, name, ...proofFolder),
};

/** A name comes from a person: it is checked before it becomes a path. */
function storeOf(root: string, name: string): StorePlace | undefined {
  if (!isTaskId(name)) return undefined;
  const { dir, own } = placeOfTask(root, name);
  return isDirectory(dir) ? { root: dir, dir: own, layout: agentmeshLayout } : undefined;
}

function tasksIn(look: Look, names: readonly string[]): FoundTask[] {
  return names.flatMap((name): FoundTask[] => {
    const store = storeOf(look.root, name);
    if (!store) return [];
    const view = look.read(store);
    const task = view.tasks.find(({ id }) => id === name);
    return task ? [{ kind: 'task', task: withForeign(task, store.root), name, view, store }] : [];
  });
}
