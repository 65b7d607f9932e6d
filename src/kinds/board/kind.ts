import path from 'node:path';
import { isDirectory } from '../../io/find-up.ts';
import { exists } from '../../io/links.ts';
import type { StorePlace } from '../../store/store.ts';
import { isBeginning, readable, type FoundTask, type Kind, type Look } from '../kind.ts';
import { lazyBoardLayout } from './format/log.ts';
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
  all: (look) => readable(() => tasksIn(look)),
  async match(look, ref) {
    const all = await tasksIn(look);
    const id = wholeId(ref, (one) => all.some(({ name }) => name === one));
    return {
      whole: all.filter(({ name }) => name === id),
      begun: async () => all.filter(({ name }) => isBeginning(ref, name)),
    };
  },
  names: async (look) => (await tasksIn(look)).map(({ name }) => name),
  nameOf: ({ id }) => id,
  attempts: ({ store, task }) => path.join(store.dir, 'attempts', task.id),
  trail: ({ store, task }) => path.join(store.dir, 'attempts', task.id),
  evidence: ({ task }) => `${ownFolder}/evidence/${task.id}`,
};

function placeOfBoard(root: string): StorePlace {
  return { root, dir: path.join(root, ownFolder), layout: lazyBoardLayout };
}

async function tasksIn(look: Look): Promise<FoundTask[]> {
  const found: FoundTask[] = [];
  for (const { store } of boardKind.stores(look.root)) {
    const view = await look.read(store);
    found.push(...view.tasks.map((task) => ({ kind: 'board' as const, task, name: task.id, view, store })));
  }
  return found;
}
