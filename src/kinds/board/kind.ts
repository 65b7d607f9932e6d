import path from 'node:path';
import { isDirectory } from '../../io/find-up.ts';
import { exists } from '../../io/links.ts';
import { isBeginning, type FoundTask, type Kind, type Look, type StorePlace } from '../kind.ts';
import { boardLayout } from './format/layout.ts';
import { logFile, ownFolder } from './format/places.ts';
import { wholeId } from './format/short-id.ts';

export const boardKind: Kind = {
  name: 'board',
  where: `the board (${logFile})`,
  *stores(root) {
    if (exists(path.join(root, logFile))) yield { store: placeOfBoard(root) };
  },
  storeNamed(root, name) {
    const store = placeOfBoard(root);
    return name === 'board' && isDirectory(store.dir) ? store : undefined;
  },
  match(look, ref) {
    const all = tasksIn(look);
    const id = wholeId(ref, (one) => all.some(({ name }) => name === one));
    return {
      whole: all.filter(({ name }) => name === id),
      begun: () => all.filter(({ name }) => isBeginning(ref, name)),
    };
  },
  names: (look) => tasksIn(look).map(({ name }) => name),
  nameOf: ({ id }) => id,
  attempts: ({ store, task }) => path.join(store.dir, 'attempts', task.id),
  trail: ({ store, task }) => path.join(store.dir, 'attempts', task.id),
  evidence: ({ task }) => `${ownFolder}/evidence/${task.id}`,
};

function placeOfBoard(root: string): StorePlace {
  return { root, dir: path.join(root, ownFolder), layout: boardLayout };
}

function tasksIn(look: Look): FoundTask[] {
  return [...boardKind.stores(look.root)].flatMap(({ store }) => {
    const view = look.read(store);
    return view.tasks.map((task) => ({ kind: 'board', task, name: task.id, view, store }));
  });
}
