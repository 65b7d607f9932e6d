import type { Route } from '../../layout/board/route/route.ts';
import type { TaskView } from '../../render/board/outcome.ts';
import type { Where } from '../one-store.ts';
import { deskAt } from './desk.ts';
import { routed, say, viewsOf, type Heard, type Said } from './say.ts';

/** Who does what: tasks that people and agents claim, in their own words. */
export interface Board {
  /** Understands a message, does what it says, and answers. */
  say(said: Said): Promise<Heard>;
  /** What a message means. Changes nothing. */
  route(said: Omit<Said, 'signal'>): Route;
  /** All tasks, without a lock and without writing a byte. */
  list(): TaskView[];
}

export function makeBoard(where: Where): Board {
  const desk = deskAt(where);
  return {
    say: (said) => say(desk, said),
    route: (said) => routed(desk, said),
    list: () => viewsOf(desk),
  };
}
