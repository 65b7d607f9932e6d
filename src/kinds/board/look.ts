import path from 'node:path';
import type { Clock } from '../../io/clock.ts';
import type { Summary } from '../../render/board/outcome.ts';
import { openReader } from '../../store/open/open.ts';
import type { Brief, StoreReader, TaskIndex } from '../../store/store.ts';
import { compareIds } from '../../task/id.ts';
import type { BoardStatus, BoardTask } from './format/intent.ts';
import { lazyBoardLayout } from './format/log.ts';
import { ownFolder } from './format/places.ts';
import { boardTask, boardWord, wholeSeconds } from './format/task.ts';

const openStatuses = new Set<BoardStatus>(['pending', 'claimed', 'in_progress', 'review']);

interface BoardPlace {
  root: string;
  clock: Clock;
}

export function lookAtBoard(place: BoardPlace): Promise<BoardLook> {
  return readBoard(place).read({}, lookInto);
}

export function readBoard({ root, clock }: BoardPlace): StoreReader {
  return openReader({ root, dir: path.join(root, ownFolder), layout: lazyBoardLayout }, clock);
}

/** A board as it is, without a lock and without writing a byte. A task is parsed when it is asked for. */
export function lookInto(tasks: TaskIndex) {
  const get = (id: string): BoardTask | undefined => {
    const task = tasks.get(id);
    return task === undefined || task.removedAt !== undefined ? undefined : boardTask(task);
  };
  return {
    /** The last line that it knows. */
    get seq() {
      return tasks.seq;
    },
    has: (id: string): boolean => get(id) !== undefined,
    get,
    all: (): BoardTask[] => tasks.list().map(boardTask),
    /** How many there are of each status, and of the blocked and the open ones those that changed last. */
    summary: (most: number): Summary => summaryOf(tasks, most, get),
  };
}

export type BoardLook = ReturnType<typeof lookInto>;

function summaryOf(tasks: TaskIndex, most: number, get: (id: string) => BoardTask | undefined): Summary {
  const counts: Partial<Record<BoardStatus, number>> = {};
  const blocked: Brief[] = [];
  const open: Brief[] = [];
  for (const brief of tasks.briefs()) {
    if (brief.removed) continue;
    const word = boardWord(brief.status, brief.owned);
    counts[word] = (counts[word] ?? 0) + 1;
    if (word === 'blocked') blocked.push(brief);
    else if (openStatuses.has(word)) open.push(brief);
  }
  const shown = (briefs: Brief[]): BoardTask[] => latest(briefs, most).flatMap(({ id }) => get(id) ?? []);
  return { counts, blocked: shown(blocked), open: shown(open) };
}

/** What changed last comes first; of the same second, the higher id. */
function latest(briefs: readonly Brief[], most: number): Brief[] {
  const seconds = new Map(briefs.map(({ id, updatedAt }) => [id, secondsOf(updatedAt)]));
  const later = (a: Brief, b: Brief): number => {
    const [one, other] = [seconds.get(a.id) ?? '', seconds.get(b.id) ?? ''];
    return one === other ? compareIds(b.id, a.id) : one < other ? 1 : -1;
  };
  return briefs.toSorted(later).slice(0, most);
}

function secondsOf(time: string): string {
  return time.endsWith('Z') ? time.slice(0, 19) : wholeSeconds(time).slice(0, 19);
}
