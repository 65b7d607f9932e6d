import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { isDirectory } from '../../io/find-up.ts';
import { exists } from '../../io/links.ts';
import type { StorePlace } from '../../store/store.ts';
import type { Event } from '../../task/schema.ts';
import {
  foldersIn,
  isBeginning,
  readable,
  type Asked,
  type FoundTask,
  type Kind,
  type Look,
} from '../kind.ts';
import { wholeId } from './format/ids.ts';
import type { BoardTask } from './format/intent.ts';
import { lazyBoardLayout } from './format/log.ts';
import { logFile, ownFolder } from './format/places.ts';

/** `record`: the task as the board lists it. */
export const boardKind: Kind<{ record: BoardTask }> = {
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
  idOf: ({ id }) => id,
  count: (stores) => (stores === 0 ? '' : 'the board'),
  check: async (project) => (await import('./validate.ts')).validateBoard(project),
  ordered: async (project) => (await import('./due.ts')).orderedOnBoard(project),
  holdsMany: true,
  async assignee(project, task) {
    const [{ deskAt }, { agentFor }] = await Promise.all([import('./desk.ts'), import('./dispatch.ts')]);
    try {
      return agentFor(task, deskAt(project).protocol.agents);
    } catch (error) {
      if (error instanceof DocketError) return agentFor(task, []); // who needs the rules hears what is wrong with them
      throw error;
    }
  },
  questions,
  attemptsBy: 'step',
  attempts: ({ store, task }) => path.join(store.dir, 'attempts', task.id),
  trail: ({ store, task }) => path.join(store.dir, 'attempts', task.id),
  evidence: ({ task }) => `${ownFolder}/evidence/${task.id}`,
  details: async (_, { task }) => ({ record: (await import('./format/task.ts')).boardTask(task) }),
  validate: async (project) => (await import('./validate.ts')).validateBoard(project),
  folders: async ({ root }) => [
    ...foldersIn(root, 'attempts', `${ownFolder}/attempts`),
    ...foldersIn(root, 'evidence', `${ownFolder}/evidence`),
  ],
};

function placeOfBoard(root: string): StorePlace {
  return { root, dir: path.join(root, ownFolder), layout: lazyBoardLayout };
}

/** What a task was blocked for a person's sake, and what was said when it was let go. */
function questions(events: readonly Event[]): Asked[] {
  const asked: Asked[] = [];
  for (const event of events) {
    const { at, by } = event;
    const open = asked.at(-1);
    if (event.type === 'task.blocked' && event.data.reason.kind === 'gate')
      asked.push({ question: event.data.reason.text, by, at });
    else if ((event.type === 'task.requeued' || event.type === 'task.canceled') && open && !open.answer)
      open.answer = { text: event.data.reason, by, at };
  }
  return asked;
}

async function tasksIn(look: Look): Promise<FoundTask[]> {
  const found: FoundTask[] = [];
  for (const { store } of boardKind.stores(look.root)) {
    const view = await look.read(store);
    found.push(...view.tasks.map((task) => ({ kind: 'board' as const, task, name: task.id, view, store })));
  }
  return found;
}
